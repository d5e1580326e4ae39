//! Keima
pub mod board;
pub mod color;
pub mod game;
pub mod geometry;
pub mod rng;
pub mod rules;
pub mod score;
pub mod scoring;
pub mod zobrist;
pub use board::Board;
pub mod engine;
pub mod level;
pub mod time;
pub mod gtp;
pub mod cli;
