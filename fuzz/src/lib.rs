//! What the targets share.

pub mod mutator;
pub mod reports;
pub mod server;
pub mod settings;

#[path = "../../tests/support/laws.rs"]
pub mod laws;
#[path = "../../tests/support/legal.rs"]
pub mod legal;
