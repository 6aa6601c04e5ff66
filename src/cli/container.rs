//! Texts inside of other files: archives of dumps, and binaries that carry the vISA text of their kernels.

use super::console;
use super::input::{Job, MAX_STREAM_BYTES, is_text, reason};
use super::neighbours::{self, Facts};
use crate::config::ze_info;
use crate::host::Language;
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// A form of such files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Tar,
    TarGzip,
    Zip,
    /// `ar`, in which binaries for several devices come.
    Ar,
    /// A binary with `.visaasm` sections, or a program of the host with such binaries inside.
    Binary,
}

/// A text in such a file.
pub(super) struct Member {
    /// Its name there.
    pub(super) name: String,
    /// Its bytes, or why they cannot be read.
    pub(super) bytes: Result<Vec<u8>, String>,
    /// What the file says of the kernels.
    pub(super) kernels: Option<Facts>,
}

/// What takes members.
type Visit<'v> = &'v mut dyn FnMut(Vec<Member>);

impl Form {
    /// The form of a file that begins with these bytes.
    fn of(front: &[u8]) -> Option<Self> {
        match front {
            [0x7f, b'E', b'L', b'F', ..] | [b'M', b'Z', ..] => Some(Self::Binary),
            [0x1f, 0x8b, ..] => Some(Self::TarGzip),
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Self::Zip),
            _ if front.starts_with(b"!<arch>\n") => Some(Self::Ar),
            _ if front.get(257..262) == Some(b"ustar") => Some(Self::Tar),
            _ => None,
        }
    }
}

/// The form of a job's file, if it holds texts and is none.
pub(super) fn of_job(job: &Job) -> Option<(&Path, Form)> {
    let Job::File(path) = job else { return None };
    if is_text(path) || Language::of_path(path).is_some() {
        return None;
    }
    let mut front = Vec::new();
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    file.take(512).read_to_end(&mut front).ok()?;
    Form::of(&front).map(|form| (path.as_path(), form))
}

/// Hands over the texts of a file, some at a time, in their order.
pub(super) fn read(path: &Path, form: Form, visit: Visit) -> Result<(), String> {
    let mut file = File::open(path).map_err(|error| reason(&error))?;
    let mut window = Window { members: Vec::new(), n_bytes: 0, beside: FxHashMap::default(), visit };
    let result = match form {
        // What the compiler says of kernels may stand behind their texts, so it is looked for first.
        Form::Tar | Form::TarGzip | Form::Zip => {
            // A broken archive is reported when its texts are read.
            let _ = archived(&file, form, &mut |name, from| window.note_facts(path, &name, from));
            archived(&file, form, &mut |name, from| window.add_file(name, from))
        }
        Form::Ar | Form::Binary => {
            let n_bytes = file.seek(SeekFrom::End(0)).and_then(|n| file.rewind().map(|()| n));
            let n_bytes = n_bytes.map_err(|error| reason(&error))?;
            if n_bytes > MAX_STREAM_BYTES {
                Err(too_large())
            } else {
                bytes(file).and_then(|data| binary(&data, "", &mut window))
            }
        }
    };
    window.flush();
    result
}

fn too_large() -> String {
    format!("it has more than {} MiB", MAX_STREAM_BYTES >> 20)
}

/// Members that wait to be handed over.
struct Window<'v> {
    members: Vec<Member>,
    n_bytes: usize,
    /// What `X.zeinfo` members of an archive say, with X.
    beside: FxHashMap<String, Facts>,
    visit: Visit<'v>,
}

/// So many members are handed over at once, at most.
const MAX_MEMBERS: usize = 256;

/// Members are handed over when they have that many bytes.
const MAX_BYTES: usize = 16 << 20;

impl Window<'_> {
    fn add(&mut self, member: Member) {
        self.n_bytes += member.bytes.as_ref().map_or(0, Vec::len);
        self.members.push(member);
        if self.members.len() >= MAX_MEMBERS || self.n_bytes >= MAX_BYTES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.n_bytes = 0;
        if !self.members.is_empty() {
            (self.visit)(std::mem::take(&mut self.members));
        }
    }

    /// Notes what a member says of kernels, if it does.
    fn note_facts(&mut self, path: &Path, name: &str, from: &mut dyn Read) {
        let Some((stem, neighbours::ENDING)) = name.rsplit_once('.') else { return };
        match bytes(from).and_then(|bytes| ze_info::parse(&String::from_utf8_lossy(&bytes))) {
            Ok(facts) => _ = self.beside.insert(stem.to_owned(), Arc::new(facts)),
            Err(reason) => console::say(format_args!("visa-lint: `{}({name})`: {reason}", path.display())),
        }
    }

    /// Adds a member of an archive, which is a text by its name, or a binary by its content.
    fn add_file(&mut self, name: String, from: &mut dyn Read) {
        if is_text(Path::new(&name)) {
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            let kernels = neighbours::fronts(stem).find_map(|front| self.beside.get(front)).cloned();
            self.add(Member { bytes: bytes(from), name, kernels });
        } else if is_binary(&name)
            && let Ok(data) = bytes(from)
            && matches!(Form::of(&data), Some(Form::Binary | Form::Ar))
        {
            // What carries no text is passed over, like every other member that is none.
            let _ = binary(&data, &format!("{name}:"), self);
        }
    }
}

/// Whether a member of an archive may be a binary, by its name.
fn is_binary(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        ["a", "ar", "bin", "dll", "elf", "exe", "o", "obj", "progbin", "so", "zebin"].contains(&ending)
    })
}

/// All bytes of a member, which may be compressed to any degree.
fn bytes(from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(MAX_STREAM_BYTES + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > MAX_STREAM_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// What takes the name and the bytes of a member.
type Take<'t> = &'t mut dyn FnMut(String, &mut dyn Read);

/// Hands over the members of an archive, from its beginning.
fn archived(mut file: &File, form: Form, take: Take) -> Result<(), String> {
    file.rewind().map_err(|error| reason(&error))?;
    match form {
        Form::Zip => zip(file, take),
        Form::TarGzip => tar(flate2::read::MultiGzDecoder::new(BufReader::new(file)), take),
        _ => tar(BufReader::new(file), take),
    }
}

fn tar(from: impl Read, take: Take) -> Result<(), String> {
    let broken = |error: std::io::Error| format!("the archive cannot be read: {}", reason(&error));
    let mut archive = tar::Archive::new(from);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        if entry.header().entry_type().is_file() {
            let name = String::from_utf8_lossy(&entry.path_bytes()).trim_start_matches("./").to_owned();
            take(name, &mut entry);
        }
    }
    Ok(())
}

fn zip(file: &File, take: Take) -> Result<(), String> {
    let broken = |error: zip::result::ZipError| format!("the archive cannot be read: {error}");
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    for i in 0..archive.len() {
        let mut entry = archive.by_index(i).map_err(broken)?;
        if entry.is_file() {
            let name = entry.name().map_err(broken)?.into_owned();
            take(name, &mut entry);
        }
    }
    Ok(())
}

/// Adds the texts of a binary, or of each binary of an `ar` archive, with `front` before their names.
fn binary(data: &[u8], front: &str, window: &mut Window) -> Result<(), String> {
    let broken = |error: object::Error| format!("the binary cannot be read: {error}");
    if Form::of(data) == Some(Form::Ar) {
        let archive = ArchiveFile::parse(data).map_err(broken)?;
        for member in archive.members() {
            let member = member.map_err(broken)?;
            let name = String::from_utf8_lossy(member.name());
            let data = member.data(data).map_err(broken)?;
            if is_device_image(data) {
                device_image(data, &format!("{front}{name}:"), &mut data.len(), window)?;
            } else {
                program(data, &format!("{front}{name}:"), window);
            }
        }
    } else if is_device_image(data) {
        device_image(data, front, &mut data.len(), window)?;
    } else {
        program(data, front, window);
    }
    Ok(())
}

/// So many binaries inside of one program are read at most.
const MAX_IMAGES: usize = 1024;

/// How every ELF file begins.
const ELF: &[u8] = b"\x7fELF";

/// Whether these bytes begin as a binary for Intel's GPUs does: an ELF file for the machine 205.
fn is_device_image(data: &[u8]) -> bool {
    data.starts_with(ELF) && data.get(18..20) == Some(&[205, 0])
}

/// Adds the texts of the binaries inside of a program of the host, which its compiler has put somewhere between its own
/// data. They are told apart by their number.
fn program(data: &[u8], front: &str, window: &mut Window) {
    let starts = memchr::memmem::find_iter(data, ELF).filter(|start| is_device_image(&data[*start..])).take(MAX_IMAGES);
    let mut n_left = data.len();
    for (n, start) in starts.enumerate() {
        // Bytes that only look like the beginning of a binary are no fault.
        let _ = device_image(&data[start..], &format!("{front}image {}:", n + 1), &mut n_left, window);
    }
}

/// Adds the texts of a binary: its sections `.visaasm` and `.visaasm.NAME`. `.ze_info` says what is known of launches.
/// Texts take no more than `n_left` bytes, from which theirs are taken: sections that share bytes could hold any number of
/// times what the file does.
fn device_image(data: &[u8], front: &str, n_left: &mut usize, window: &mut Window) -> Result<(), String> {
    let broken = |error: object::Error| format!("the binary cannot be read: {error}");
    let file = object::File::parse(data).map_err(broken)?;
    let info = file.section_by_name(".ze_info").and_then(|section| section.data().ok());
    let kernels = info.and_then(|info| ze_info::parse(std::str::from_utf8(info).ok()?).ok()).map(Arc::new);
    for section in file.sections() {
        let Ok(name) = section.name() else { continue };
        let Some(kernel) = name.strip_prefix(".visaasm").filter(|rest| rest.is_empty() || rest.starts_with('.')) else {
            continue;
        };
        let text = section.data().map_err(broken)?;
        *n_left = n_left.checked_sub(text.len()).ok_or("the binary cannot be read: its sections overlap")?;
        let text = text.strip_suffix(&[0]).unwrap_or(text).to_vec();
        let named = kernel.strip_prefix('.').map(str::to_owned);
        let name = named.or_else(|| first_name(&text)).unwrap_or_else(|| name.to_owned());
        window.add(Member { name: format!("{front}{name}"), bytes: Ok(text), kernels: kernels.clone() });
    }
    Ok(())
}

/// The name after the first `.kernel` or `.global_function`.
fn first_name(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let rest =
        text.lines().find_map(|line| line.strip_prefix(".kernel ").or(line.strip_prefix(".global_function ")))?;
    Some(rest.trim().trim_matches('"').to_owned()).filter(|name| !name.is_empty())
}
