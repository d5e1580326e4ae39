//! Options and inputs; whole runs are tested with the real program in `gtp-tests/tools.rs`.

use clap::Parser;

use super::ReviewOptions;
use super::inputs::{Item, each_game};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    options: ReviewOptions,
}

fn options(arguments: &[&str]) -> ReviewOptions {
    Line::try_parse_from([&["keima"], arguments].concat()).unwrap_or_else(|error| panic!("{error}")).options
}

#[test]
fn a_range_of_moves_may_be_open_at_either_end() {
    let moves = |text: &str| options(&["x", "--moves", text]).moves;
    assert_eq!(moves("30-80"), Some((30, 80)));
    assert_eq!(moves("30-"), Some((30, usize::MAX)));
    assert_eq!(moves("-80"), Some((1, 80)));
    assert_eq!(moves("7"), Some((7, 7)));
    for bad in ["", "0-3", "x", "3-x", "9-3"] {
        assert!(Line::try_parse_from(["keima", "x", "--moves", bad]).is_err(), "{bad:?}");
    }
}

#[test]
fn positions_are_searched_once_each() {
    let options = options(&["x"]);
    assert_eq!(options.turns(&[1, 2, 3]), [0, 1, 2, 3]);
    assert_eq!(options.turns(&[2, 4, 9]), [1, 2, 3, 4, 8, 9]);
    assert_eq!(options.turns(&[]), [0]);
}

#[test]
fn a_fingerprint_changes_with_the_game_and_with_the_search() {
    let item =
        |text: &str| Item { label: "a".into(), number: 1, stem: "a".into(), text: text.into(), line: 1, bytes: 1 };
    let print =
        |arguments: &[&str], text: &str| options(arguments).fingerprint(&item(text), crate::rules::Rules::CHINESE);
    let usual = print(&["x"], "(;)");
    assert_eq!(usual, print(&["x", "--html", "--jobs", "3", "--threshold", "9"], "(;)"));
    for other in [print(&["x"], "(;B[])"), print(&["x", "--visits", "3"], "(;)"), print(&["x", "--player", "W"], "(;)")]
    {
        assert_ne!(usual, other);
    }
}

#[test]
fn games_of_the_same_name_get_files_of_their_own() {
    let folder = std::env::temp_dir().join(format!("keima-stems-{}", std::process::id()));
    for name in ["a/x.sgf", "b/x.sgf"] {
        std::fs::create_dir_all(folder.join(name).parent().expect("a parent")).expect("writable");
        std::fs::write(folder.join(name), "(;SZ[5])(;SZ[7])").expect("writable");
    }
    let names = [folder.join("a/x.sgf"), folder.join("b/x.sgf"), folder.clone()];
    let mut stems = Vec::new();
    each_game(&options(&names.map(|name| name.display().to_string()).each_ref().map(String::as_str)), &mut |item| {
        stems.push(item.expect("readable").stem.display().to_string());
        true
    });
    std::fs::remove_dir_all(&folder).expect("it is ours");
    assert_eq!(stems, ["x-1", "x-2", "x-1-2", "x-2-2", "a/x-1", "a/x-2", "b/x-1", "b/x-2"]);
}
