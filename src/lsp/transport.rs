//! Messages over standard input and output. What cannot be read as a message is answered with an error, and the next one
//! is read; memory is only taken for bytes that have come.

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read as _, Write};
use std::thread::JoinHandle;

/// Most bytes of one message: more than the longest text that is checked.
const MAX_CONTENT_BYTES: u64 = 512 << 20;

/// Most bytes of one line of a header, and most lines.
const MAX_HEADER_BYTES: u64 = 4096;
const MAX_HEADER_LINES: usize = 64;

/// Something that was read.
#[derive(Debug)]
enum Incoming {
    Message(Message),
    /// The answer to what is no message.
    Refused(Value),
    /// The answer to an error of this server's, or the like: nothing is to be said to it.
    Ignored,
}

/// The thread that reads.
pub struct Input(JoinHandle<Result<(), String>>);

impl Input {
    /// Waits for the end of the input, or for `exit`.
    ///
    /// # Errors
    /// If what was read could not be divided into messages.
    pub fn join(self) -> Result<(), String> {
        self.0.join().unwrap_or_else(|_| Err("the reader of messages failed".to_owned()))
    }
}

/// The thread that writes.
pub struct Output(JoinHandle<io::Result<()>>);

impl Output {
    /// Waits until everything is written.
    ///
    /// # Errors
    /// If it could not be.
    pub fn join(self) -> Result<(), String> {
        let ended = self.0.join().unwrap_or_else(|_| Err(io::Error::other("the writer of messages failed")));
        ended.map_err(|error| format!("standard output cannot be written: {error}"))
    }
}

/// A connection over standard input and output. The threads end when it is dropped, the one that reads at the next
/// message.
#[must_use]
pub fn stdio() -> (Connection, Input, Output) {
    let (sender, outgoing) = bounded::<Message>(0);
    let (incoming, receiver) = bounded::<Message>(0);
    let writer = std::thread::spawn(move || write(&outgoing));
    let reader = std::thread::spawn(move || read(&mut io::stdin().lock(), &incoming, &mut io::stdout()));
    (Connection { sender, receiver }, Input(reader), Output(writer))
}

fn write(outgoing: &Receiver<Message>) -> io::Result<()> {
    outgoing.iter().try_for_each(|message| message.write(&mut io::stdout().lock()))
}

/// Reads messages until the input ends or `exit` comes.
///
/// # Errors
/// If the input cannot be read, or divided into messages.
pub fn read(from: &mut impl BufRead, to: &Sender<Message>, answers: &mut impl Write) -> Result<(), String> {
    while let Some(n_bytes) = content_length(from)? {
        match content(from, n_bytes)? {
            Incoming::Message(message) => {
                let is_exit = matches!(&message, Message::Notification(n) if n.method == "exit");
                if to.send(message).is_err() || is_exit {
                    return Ok(());
                }
            }
            Incoming::Refused(answer) => {
                let text = answer.to_string();
                // The writer reports a closed output.
                let _ = write!(answers, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| answers.flush());
            }
            Incoming::Ignored => {}
        }
    }
    Ok(())
}

/// Reads a header; returns how long the message behind it is, or nothing at the end of the input.
fn content_length(from: &mut impl BufRead) -> Result<Option<u64>, String> {
    let mut n_bytes = None;
    for n_lines in 0..MAX_HEADER_LINES {
        let mut line = Vec::new();
        from.take(MAX_HEADER_BYTES).read_until(b'\n', &mut line).map_err(|error| unreadable(&error))?;
        if line.is_empty() && n_lines == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Err("the header of a message does not end".to_owned());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if text.is_empty() {
            return n_bytes.map(Some).ok_or_else(|| "the header of a message has no `Content-Length`".to_owned());
        }
        let Some((name, value)) = text.split_once(':') else {
            return Err(format!("`{}` is no header of a message", text.chars().take(60).collect::<String>()));
        };
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim();
            n_bytes = Some(value.parse().map_err(|_| format!("`{value}` is no length of a message"))?);
        }
    }
    Err("the header of a message has too many lines".to_owned())
}

fn unreadable(error: &io::Error) -> String {
    format!("standard input cannot be read: {error}")
}

/// Reads the content of a message. What is too long is passed over.
fn content(from: &mut impl BufRead, n_bytes: u64) -> Result<Incoming, String> {
    let ends_early = || "standard input ended in the middle of a message".to_owned();
    if n_bytes > MAX_CONTENT_BYTES {
        let n_skipped = io::copy(&mut from.take(n_bytes), &mut io::sink()).map_err(|error| unreadable(&error))?;
        let reason = format!("a message has at most {} MiB", MAX_CONTENT_BYTES >> 20);
        return if n_skipped < n_bytes {
            Err(ends_early())
        } else {
            Ok(refused(ErrorCode::InvalidRequest, &Value::Null, &reason))
        };
    }
    let mut bytes = Vec::new();
    from.take(n_bytes).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if (bytes.len() as u64) < n_bytes {
        return Err(ends_early());
    }
    if let Ok(message) = serde_json::from_slice(&bytes) {
        return Ok(Incoming::Message(message));
    }
    Ok(match serde_json::from_slice::<Value>(&bytes) {
        Err(error) => refused(ErrorCode::ParseError, &Value::Null, &error.to_string()),
        Ok(value) if value.get("method").is_none() && value.get("id").is_some() => Incoming::Ignored,
        Ok(value) => refused(ErrorCode::InvalidRequest, value.get("id").unwrap_or(&Value::Null), "this is no message"),
    })
}

fn refused(code: ErrorCode, id: &Value, reason: &str) -> Incoming {
    let id = if id.is_string() || id.is_number() { id.clone() } else { Value::Null };
    Incoming::Refused(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": reason } }))
}
