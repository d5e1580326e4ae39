//! Commands about game records: `loadsgf`, and later `printsgf` and `savesgf`.
//!
//! Their handlers belong here and their lines into the table in [`super::commands`].
