//! The protocol, query by query, against a small search.

use std::io::{Cursor, Read, Write};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::query::Reader;
use super::queue::Queue;
use super::{AnalysisSettings, Perspective, serve};

/// Where answers are gathered.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody fails while writing").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn settings() -> AnalysisSettings {
    AnalysisSettings { threads: 2, visits: 30, memory_mib: Some(64), ..AnalysisSettings::default() }
}

fn answers_to(text: &str) -> Vec<Value> {
    let paper = Paper::default();
    serve(&settings(), Cursor::new(text.as_bytes().to_vec()), paper.clone()).expect("no trouble");
    let bytes = paper.0.lock().expect("nobody writes any more").clone();
    let text = String::from_utf8(bytes).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// A query on a small board with these fields changed.
fn query(changes: &Value) -> Value {
    let mut query = json!({
        "id": "q", "moves": [["B", "C3"], ["W", "D3"]], "rules": "tromp-taylor", "komi": 6.5, "boardXSize": 5, "boardYSize": 5,
    });
    for (key, value) in changes.as_object().expect("an object") {
        query[key] = value.clone();
    }
    query
}

fn answer_to(changes: &Value) -> Value {
    let mut answers = answers_to(&query(changes).to_string());
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

#[test]
fn an_answer_has_the_fields_of_kata_go() {
    let answer = answer_to(
        &json!({"includeOwnership": true, "includePolicy": true, "includePVVisits": true, "includeMovesOwnership": true}),
    );
    assert_eq!(
        (&answer["id"], &answer["turnNumber"], &answer["isDuringSearch"]),
        (&json!("q"), &json!(2), &json!(false))
    );
    let root = &answer["rootInfo"];
    assert_eq!((&root["currentPlayer"], &root["visits"]), (&json!("B"), &json!(30)));
    let moves = answer["moveInfos"].as_array().expect("moves");
    for (order, info) in moves.iter().enumerate() {
        for key in [
            "winrate",
            "lcb",
            "scoreLead",
            "scoreMean",
            "scoreStdev",
            "scoreSelfplay",
            "utility",
            "utilityLcb",
            "prior",
            "weight",
        ] {
            assert!(info[key].is_number() && root.get(key).is_none_or(Value::is_number), "{key}: {info}");
        }
        assert_eq!(info["order"], json!(order));
        assert_eq!(info["pv"][0], info["move"]);
        assert_eq!(info["pv"].as_array().map(Vec::len), info["pvVisits"].as_array().map(Vec::len));
        assert_eq!(info["ownership"].as_array().map(Vec::len), Some(25));
    }
    let visits: u64 = moves.iter().filter_map(|info| info["visits"].as_u64()).sum();
    assert_eq!(visits, 30);
    let policy: Vec<f64> = answer["policy"].as_array().expect("a policy").iter().filter_map(Value::as_f64).collect();
    assert_eq!(policy.len(), 26);
    // Row by row from the top: C3 and D3 are the third and fourth points of the third row.
    assert_eq!((policy[12], policy[13]), (-1.0, -1.0));
    let sum: f64 = policy.iter().filter(|&&p| p >= 0.0).sum();
    assert!((sum - 1.0).abs() < 1e-6);
    assert_eq!(answer["ownership"].as_array().map(Vec::len), Some(25));
}

#[test]
fn values_are_those_of_whoever_is_asked_for() {
    // White to move owns the board.
    let stones: Vec<[&str; 2]> =
        ["B5", "B4", "A4", "C4", "D4", "E4", "C5", "B3", "C3", "D3", "E3", "A3", "A2", "B2", "C2", "D2"]
            .map(|p| ["W", p])
            .to_vec();
    let seen = |perspective: &str| {
        let changes = json!({"initialStones": stones, "moves": [], "initialPlayer": "W", "includeOwnership": true,
            "overrideSettings": {"reportAnalysisWinratesAs": perspective}});
        let answer = answer_to(&changes);
        let first = &answer["moveInfos"][0];
        let numbers = [
            &answer["rootInfo"]["winrate"],
            &first["winrate"],
            &first["lcb"],
            &answer["rootInfo"]["scoreLead"],
            &first["scoreLead"],
            &first["utility"],
            &answer["ownership"][0],
        ];
        numbers.map(|number| number.as_f64().expect("a number"))
    };
    let (black, white, to_move) = (seen("BLACK"), seen("WHITE"), seen("SIDETOMOVE"));
    assert_eq!(white, to_move);
    assert!(
        white[0] > 0.9 && white[1] > 0.9 && white[3] > 15.0 && white[4] > 15.0 && white[5] > 0.8 && white[6] > 0.8,
        "{white:?}"
    );
    for i in 0..3 {
        assert!((black[i] + white[i] - 1.0).abs() < 1e-9, "{black:?} {white:?}");
    }
    for i in 3..7 {
        assert!((black[i] + white[i]).abs() < 1e-9, "{black:?} {white:?}");
    }
    // A cautious opinion of White's is below White's win rate, so for Black it is above.
    assert!(white[2] < white[1] && black[2] > black[1]);
}

#[test]
fn every_turn_asked_for_is_answered_once() {
    let turns = json!({"analyzeTurns": [2, 0, 1, 0], "priorities": [1, 5, 3, 5], "id": "t"});
    let answers = answers_to(&query(&turns).to_string());
    let mut turns: Vec<u64> = answers.iter().filter_map(|answer| answer["turnNumber"].as_u64()).collect();
    turns.sort_unstable();
    assert_eq!(turns, [0, 1, 2]);
    assert!(answers.iter().all(|answer| answer["id"] == "t" && answer["isDuringSearch"] == false));
}

#[test]
fn the_most_urgent_comes_first_and_of_equals_the_earlier() {
    let settings = settings();
    let queue = Queue::default();
    for (id, priority) in [("a", 0), ("b", 7), ("c", 0), ("d", -3)] {
        let Value::Object(object) = query(&json!({"priority": priority})) else { unreachable!() };
        queue.add(Reader::new(&settings, &object).jobs(id).expect("understood"));
    }
    queue.close(true);
    let order: Vec<String> = std::iter::from_fn(|| queue.next()).map(|ticket| ticket.job.id.clone()).collect();
    assert_eq!(order, ["b", "a", "c", "d"]);
}

#[test]
fn a_repetition_that_somebody_played_is_followed() {
    // A ko is taken, and after two passes elsewhere taken back, which makes an earlier position.
    let moves = ["A2", "B2", "B1", "C1", "E5", "A1", "pass", "pass", "B1"];
    let moves: Vec<[&str; 2]> = moves.iter().enumerate().map(|(i, mv)| [["B", "W"][i % 2], mv]).collect();
    assert!(answer_to(&json!({"moves": moves}))["rootInfo"].is_object());
}

#[test]
fn what_cannot_be_understood_is_answered_with_an_error_and_the_next_query_with_an_opinion() {
    let nested = "[".repeat(100_000);
    let lines =
        ["nonsense", "[]", "3", "{}", r#"{"id":3}"#, r#"{"id":"x""#, "\u{0}", "{\"id\":\"\\ud800\"}", &nested, "1e999"];
    for line in lines {
        let answers = answers_to(&format!("{line}\n{}\n", query(&json!({}))));
        assert_eq!(answers.len(), 2, "{line:?}: {answers:?}");
        assert!(answers[0]["error"].is_string() && answers[0].get("id").is_none(), "{:?}", answers[0]);
        assert_eq!(answers[1]["rootInfo"]["visits"], 30);
    }
    assert_eq!(answers_to("\n  \r\n\n"), Vec::<Value>::new());
}

#[test]
fn a_line_without_end_is_refused_in_bounded_memory() {
    let long = std::io::repeat(b'x')
        .take(super::LONGEST_LINE as u64 * 2)
        .chain(Cursor::new(format!("\n{}\n", query(&json!({}))).into_bytes()));
    let paper = Paper::default();
    serve(&settings(), std::io::BufReader::new(long), paper.clone()).expect("no trouble");
    let text = String::from_utf8(paper.0.lock().expect("done").clone()).expect("UTF-8");
    assert!(text.starts_with("{\"error\":\"the line is too long\"}\n{\"id\":\"q\""), "{}", &text[..80]);
}

/// Every field of a query with values of the wrong type, or of the right type and impossible.
const WRONG: &[(&str, &str)] = &[
    (
        "moves",
        r#"null, 3, "D4", {}, [3], [["B"]], [["B","C3","x"]], [["X","C3"]], [[3,"C3"]], [["B",3]], [["B","Z9"]], [["B","C3"],["W","C3"]]"#,
    ),
    ("initialStones", r#"null, 3, [["B","pass"]], [["B"]], [["B","F6"]], [["B","A1"],["W","A2"],["W","B1"]]"#),
    ("initialPlayer", r#"null, 3, "X", ["B"], {}"#),
    ("rules", r#"null, 3, "nonsense", [], {"ko":"NONE"}, {"scoring":3}, "{broken", true"#),
    ("komi", r#"null, "6.5", 1e300, [], true, 401"#),
    ("whiteHandicapBonus", r#"null, 3, "M", {}"#),
    ("boardXSize", r#"null, "5", 1, 26, 5.5, -5, 1e300, 99999999999999999999, [], {}"#),
    ("boardYSize", r#"null, "5", 1, 26, 6, 5.5, true"#),
    ("analyzeTurns", r#"null, 3, ["x"], [3], [-1], [1.5], {}, [99999999999999999999]"#),
    ("maxVisits", r#"null, 0, -1, 1.5, "5", 99999999999999999999, []"#),
    ("analysisPVLen", r#"null, 0, 1001, "x""#),
    ("includeOwnership", r#"null, 1, "true", []"#),
    ("includePolicy", r#"0"#),
    ("includePVVisits", r#""yes""#),
    ("includeMovesOwnership", r#"{}"#),
    ("includeOwnershipStdev", r#"1"#),
    (
        "avoidMoves",
        r#"null, 3, {}, [3], [{}], [{"player":"B","moves":["C4"]}], [{"player":"B","moves":"C4","untilDepth":1}],
        [{"player":"B","moves":["Q99"],"untilDepth":1}], [{"player":3,"moves":[],"untilDepth":1}], [{"player":"B","moves":[],"untilDepth":0}]"#,
    ),
    ("allowMoves", r#"3, [{"player":"B","moves":["C4"],"untilDepth":1},{"player":"B","moves":["D4"],"untilDepth":1}]"#),
    (
        "overrideSettings",
        r#"null, 3, [], "x", {"maxVisits":"x"}, {"maxTime":-1}, {"reportAnalysisWinratesAs":"RED"}, {"exploration":"x"}, {"maxVisits":[]}"#,
    ),
    ("reportDuringSearchEvery", r#"null, 0, -1, "1", 1e300"#),
    ("firstReportDuringSearchAfter", r#"null, 0"#),
    ("priority", r#"null, "1", 1.5, 99999999999999999999"#),
    ("priorities", r#"[1], 3"#),
];

#[test]
fn every_field_that_is_wrong_is_named_and_nothing_is_searched() {
    for (field, values) in WRONG {
        let values: Vec<Value> = serde_json::from_str(&format!("[{values}]")).expect("valid JSON");
        for value in values {
            let answers = answers_to(&query(&json!({*field: value})).to_string());
            assert_eq!(answers.len(), 1, "{field} {value}: {answers:?}");
            assert!(answers[0]["error"].is_string(), "{field} {value}: {answers:?}");
            assert_eq!((&answers[0]["field"], &answers[0]["id"]), (&json!(field), &json!("q")), "{value}: {answers:?}");
        }
    }
    for field in ["moves", "rules", "boardXSize", "boardYSize"] {
        let mut query = query(&json!({}));
        query.as_object_mut().expect("an object").remove(field);
        assert_eq!(answers_to(&query.to_string())[0]["field"], *field);
    }
    let both = json!({"avoidMoves": [], "allowMoves": []});
    assert_eq!(answer_to(&both)["field"], "allowMoves");
}

#[test]
fn a_game_without_end_is_refused() {
    let passes = vec![["B", "pass"]; 20_001];
    assert_eq!(answer_to(&json!({"moves": passes}))["field"], "moves");
}

#[test]
fn an_illegal_move_is_called_that() {
    let answer = answer_to(&json!({"moves": [["B", "C3"], ["W", "C3"]]}));
    assert!(answer["error"].as_str().is_some_and(|text| text.starts_with("Illegal move 1: C3")), "{answer}");
}

#[test]
fn what_keima_does_not_have_is_a_warning_and_the_query_goes_on() {
    let changes = json!({"rules": "stone-scoring", "overrideSettings": {"wideRootNoise": 0.04, "maxVisits": 7}, "rootPolicyTemperature": 1.1, "typo": 1});
    let answers = answers_to(&query(&changes).to_string());
    let fields: Vec<&str> =
        answers.iter().filter(|a| a["warning"].is_string()).filter_map(|a| a["field"].as_str()).collect();
    assert!(
        ["overrideSettings", "rootPolicyTemperature", "typo"].iter().all(|field| fields.contains(field)),
        "{answers:?}"
    );
    assert!(answers.iter().all(|answer| answer["id"] == "q"));
    assert_eq!(answers.last().expect("an answer")["rootInfo"]["visits"], 7);
}

#[test]
fn rules_come_by_name_and_by_property() {
    let komi_of = |changes: Value| {
        let settings = settings();
        let Value::Object(object) = query(&changes) else { unreachable!() };
        let mut reader = Reader::new(&settings, &object);
        let jobs = reader.jobs("q").expect("understood");
        let game = jobs[0].game();
        (game.rules().suicide, game.rules().dead_stones == crate::rules::DeadStones::Removed, game.komi().points())
    };
    let stones = json!([["B", "B2"], ["B", "D4"]]);
    assert_eq!(komi_of(json!({"rules": "tromp-taylor"})), (true, false, 6.5));
    assert_eq!(komi_of(json!({"rules": "Chinese", "initialStones": stones, "moves": []})), (false, true, 8.5));
    assert_eq!(komi_of(json!({"rules": "aga", "initialStones": stones, "moves": []})), (false, true, 7.5));
    assert_eq!(komi_of(json!({"rules": "new zealand"})), (true, true, 6.5));
    assert_eq!(komi_of(json!({"rules": {"suicide": false, "ko": "SIMPLE"}})), (false, false, 6.5));
    assert_eq!(komi_of(json!({"rules": "{\"friendlyPassOk\": true, \"suicide\": true}"})), (true, true, 6.5));
    let bonus = json!({"rules": "chinese", "whiteHandicapBonus": "0", "initialStones": stones, "moves": []});
    assert_eq!(komi_of(bonus), (false, true, 6.5));
}

#[test]
fn moves_left_out_are_not_told() {
    let avoided: Vec<String> =
        ["A", "B", "C", "D"].iter().flat_map(|c| (1..=5).map(move |r| format!("{c}{r}"))).collect();
    let answer = answer_to(&json!({"avoidMoves": [{"player": "B", "moves": avoided, "untilDepth": 1}]}));
    let moves = answer["moveInfos"].as_array().expect("moves");
    let is_left_in = |mv: &str| mv.starts_with('E') || mv == "pass";
    assert!(moves.iter().all(|info| info["move"].as_str().is_some_and(is_left_in)), "{moves:?}");
    let answer = answer_to(&json!({"allowMoves": [{"player": "B", "moves": ["B3"], "untilDepth": 1}]}));
    assert_eq!(answer["moveInfos"].as_array().map(Vec::len), Some(1));
}

#[test]
fn actions_are_echoed_and_queries_ended() {
    let version = answers_to(r#"{"id":"v","action":"query_version","extra":1}"#);
    assert_eq!(version[0]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version[0]["extra"], 1);
    assert_eq!(answers_to(r#"{"id":"m","action":"query_models"}"#)[0]["models"][0]["name"], "built-in");
    assert_eq!(answers_to(r#"{"id":"c","action":"clear_cache"}"#), [json!({"id": "c", "action": "clear_cache"})]);
    for bad in [
        r#"{"id":"x","action":"fly"}"#,
        r#"{"id":"x","action":"terminate"}"#,
        r#"{"id":"x","action":"terminate_all","turnNumbers":["a"]}"#,
    ] {
        let answers = answers_to(bad);
        assert!(answers[0]["error"].is_string() && answers[0]["id"] == "x", "{answers:?}");
    }
}

#[test]
fn every_query_ends_with_one_last_answer_whenever_it_is_terminated() {
    let one_by_one = AnalysisSettings { threads: 1, ..settings() };
    let long = json!({"id": "long", "maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.001});
    let waiting = json!({"id": "waiting", "analyzeTurns": [0, 1, 2], "maxVisits": 1_000_000_000});
    let lines = [
        query(&long),
        query(&waiting),
        json!({"id": "1", "action": "terminate", "terminateId": "waiting", "turnNumbers": [1]}),
        json!({"id": "2", "action": "terminate", "terminateId": "nobody"}),
        json!({"id": "3", "action": "terminate_all"}),
    ];
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let paper = Paper::default();
    serve(&one_by_one, Cursor::new(text.join("\n").into_bytes()), paper.clone()).expect("no trouble");
    let text = String::from_utf8(paper.0.lock().expect("done").clone()).expect("UTF-8");
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = |id: &str| answers.iter().filter(|a| a["id"] == id && a["isDuringSearch"] == false).count();
    assert_eq!((last("long"), last("waiting")), (1, 3), "{answers:?}");
    assert_eq!(answers.iter().filter(|a| a["action"].is_string()).count(), 3);
    let skipped = answers.iter().find(|a| a["id"] == "waiting" && a["turnNumber"] == 1).expect("answered");
    assert_eq!(skipped, &json!({"id": "waiting", "turnNumber": 1, "isDuringSearch": false, "noResults": true}));
}

#[test]
fn a_search_ends_in_time_and_reports_meanwhile() {
    let changes =
        json!({"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.02, "overrideSettings": {"maxTime": 0.5}});
    let answers = answers_to(&query(&changes).to_string());
    assert!(answers.len() > 1, "{answers:?}");
    let visits: Vec<u64> = answers.iter().filter_map(|a| a["rootInfo"]["visits"].as_u64()).collect();
    assert!(visits.is_sorted());
    let (last, rest) = answers.split_last().expect("not empty");
    assert_eq!(last["isDuringSearch"], false);
    assert!(rest.iter().all(|answer| answer["isDuringSearch"] == true));
}

#[test]
fn the_same_query_gets_the_same_answer() {
    assert_eq!(answer_to(&json!({})), answer_to(&json!({})));
}

#[test]
fn nobody_listening_ends_the_work() {
    struct Deaf;
    impl Write for Deaf {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let endless = query(&json!({"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01})).to_string();
    assert!(serve(&settings(), Cursor::new(endless.into_bytes()), Deaf).is_ok());
}

#[test]
fn configurations_of_kata_go_are_understood_as_far_as_they_go() {
    let mut settings = AnalysisSettings::default();
    settings
        .read_overrides("homeDataDir=/x, maxVisits = 77,reportAnalysisWinratesAs=SIDETOMOVE,analysisPVLen=3")
        .expect("valid");
    assert_eq!((settings.visits, settings.perspective, settings.line), (77, Perspective::ToMove, 3));
    let error = settings.read_overrides("maxVisits=0").expect_err("impossible");
    assert_eq!(error.to_string(), "maxVisits is \"0\", must be an integer from 1 to 2^50");
    assert!(settings.read_config("/no/such/file".as_ref()).is_err());
}

/// Anything that JSON can be, up to a depth.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[A-Ta-t][0-9]{1,2}|pass|B|W|chinese|\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("player|moves|untilDepth|maxVisits|ko|suicide|\\PC{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(Map::from_iter(map))),
        ]
    })
}

proptest! {
    #[test]
    fn no_query_makes_the_reader_panic(changes in prop::collection::vec((0..WRONG.len(), any_json()), 0..4)) {
        let mut query = query(&json!({}));
        for (field, value) in changes {
            query[WRONG[field].0] = value;
        }
        let Value::Object(object) = query else { unreachable!() };
        let settings = settings();
        let mut reader = Reader::new(&settings, &object);
        if let Ok(jobs) = reader.jobs("q") {
            prop_assert!(jobs.iter().all(|job| job.game().turns().len() == job.turn));
        }
    }
}
