//! Text to statements: lexer, grammar of one statement, and the wording of syntax errors.

pub mod batch;
pub mod comment;
pub mod error;
pub mod lexer;
pub mod number;
pub mod parser;
mod pattern;
pub mod string;
pub mod token;
pub mod tree;

pub use batch::Batch;
pub use error::SyntaxError;
pub use lexer::{Lexer, Line};
pub use parser::Parser;
