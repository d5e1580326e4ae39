//! Games from the first request to the last.

use serde_json::{Value, json};

use super::{Engine, Player, Site};

fn code(reply: &super::Reply) -> (u16, String) {
    let body = reply.json();
    let text = |name: &str| body[name].as_str().map_or(String::new(), |text| format!(" {text}"));
    (reply.status, format!("{}{}", body["error"].as_str().unwrap_or("none"), text("reason")))
}

fn refused(reply: &super::Reply, status: u16, error: &str) {
    assert_eq!(code(reply), (status, error.to_string()), "{}", reply.text);
}

#[test]
fn an_invitation_is_looked_at_by_anybody_and_claimed_once() {
    let site = Site::new("", Engine::Quick);
    let game = json!({"size": 9, "black": "human", "white": "human", "seat": "white", "name": "Mika <b>"});
    let (host, invitation) = site.make(&game);
    let looks = || site.post("invitation", None, &json!({"invitation": invitation}));
    let look = looks().json();
    assert_eq!((look["seat"].as_str(), look["host"].as_str()), (Some("black"), Some("Mika <b>")));
    assert!(look["taken"] == false && site.state(&host)["phase"] == "open");
    refused(&site.act(&host, "moves", &json!({"move": "C3"})), 409, "illegal not-open");
    let join = |key: &str| site.post("join", None, &json!({"invitation": invitation, "name": "Kai", "key": key}));
    let first = join("0123456789abcdef");
    assert_eq!((first.status, first.json()["seat"].as_str().map(str::to_string)), (200, Some("black".to_string())));
    // The answer may have been lost: the same guest asks again, and both tokens are good.
    let again = join("0123456789abcdef");
    for token in [first, again].map(|reply| reply.json()["token"].as_str().map(str::to_string)) {
        let guest = Player { id: host.id.clone(), token: token.expect("a token") };
        assert_eq!(site.state(&guest)["you"], "black");
    }
    refused(&join("fedcba9876543210"), 409, "seat-taken");
    assert!(looks().json()["taken"] == true && site.state(&host)["phase"] == "playing");
    refused(&site.post("join", None, &json!({"invitation": "nonsense"})), 404, "no-invitation");
}

#[test]
fn an_invitation_can_be_replaced_and_voided() {
    let site = Site::new("", Engine::Quick);
    let (host, old) = site.make(&json!({"size": 9, "black": "human", "white": "human", "seat": "black"}));
    let path = |action: &str| format!("games/{}/{action}", host.id);
    let new = site.post(&path("invite"), Some(&host.token), &json!({})).json()["invitation"].clone();
    refused(&site.post("join", None, &json!({"invitation": old})), 404, "no-invitation");
    assert_eq!(site.post(&path("uninvite"), Some(&host.token), &json!({})).status, 200);
    refused(&site.post("join", None, &json!({"invitation": new})), 404, "no-invitation");
}

#[test]
fn moves_alternate_and_what_is_closed_says_why() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({}));
    refused(&site.act(&white, "moves", &json!({"move": "C3"})), 409, "illegal not-your-turn");
    site.play(&black, &white, "B1 E5 A2 E4");
    // White's point A1 is surrounded; Black may of course play there.
    assert!(site.state(&black)["closed"].get("A1").is_none());
    site.play(&black, &white, "D1");
    assert_eq!(site.state(&white)["closed"]["A1"], "suicide");
    refused(&site.act(&white, "moves", &json!({"move": "A1"})), 409, "illegal suicide");
    refused(&site.act(&white, "moves", &json!({"move": "B1"})), 409, "illegal occupied");
    refused(&site.act(&white, "moves", &json!({"move": "F1"})), 400, "bad-move");
    let state = site.state(&white);
    assert_eq!(state["board"], json!(["....O", "....O", ".....", "X....", ".X.X."]));
    assert_eq!((&state["last"], &state["to_move"]), (&json!("D1"), &json!("white")));
}

#[test]
fn kos_and_long_cycles_are_closed() {
    let site = Site::new("", Engine::Quick);
    let ko = "(;SZ[5]AB[cb][bc][cd]AW[db][ec][dd]PL[W];W[cc];B[dc])";
    let from = |sgf: &str| json!({"sgf": sgf, "black": "human", "white": "human", "seat": "both"});
    let (both, _) = site.make(&from(ko));
    assert_eq!(site.state(&both)["closed"]["C3"], "ko");
    refused(&site.act(&both, "moves", &json!({"move": "C3"})), 409, "illegal ko");
    // Black has taken two stones and stands there with one: a white stone on B1 would bring back the position before.
    let (both, _) = site.make(&from("(;SZ[5]AB[ad][bd]AW[be][cd][de]PL[W];W[ae];B[ce])"));
    assert_eq!(site.state(&both)["closed"]["B1"], "superko");
    refused(&site.act(&both, "moves", &json!({"move": "B1"})), 409, "illegal superko");
}

#[test]
fn a_write_may_come_again_and_an_old_one_is_told_what_has_happened() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({}));
    let version = site.state(&black)["version"].clone();
    let path = format!("games/{}/moves", black.id);
    let write = |mv: &str| site.post(&path, Some(&black.token), &json!({"version": version, "move": mv}));
    assert_eq!((write("C3").status, write("C3").status), (200, 200));
    let late = write("C4");
    refused(&late, 409, "stale");
    assert_eq!(late.json()["state"]["moves"], json!(["C3"]));
    site.play(&black, &white, "D3");
    assert_eq!(write("C3").status, 200, "even after the answer of the other");
    let site = site.restarted();
    let again = site.post(&path, Some(&black.token), &json!({"version": version, "move": "C3"}));
    assert_eq!((again.status, &again.json()["state"]["moves"]), (200, &json!(["C3", "D3"])));
}

#[test]
fn a_game_survives_a_restart_with_everything_in_it() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({"rules": "chinese", "size": 9, "handicap": 2, "komi": 3.5}));
    site.play(&black, &white, "E5 C5 pass pass");
    site.wait_for(&black, |state| state["count"].is_object());
    assert_eq!(site.act(&white, "mark", &json!({"point": "E5", "dead": true})).status, 200);
    let told = |site: &Site| {
        let mut state = site.state(&white);
        // What is about this moment and not about the game.
        for name in ["seq", "black", "white"] {
            state.as_object_mut().expect("fields").remove(name);
        }
        state
    };
    let before = told(&site);
    assert_eq!((before["phase"].as_str(), &before["dead"]), (Some("counting"), &json!(["E5"])));
    let site = site.restarted();
    assert_eq!(told(&site), before);
}

#[test]
fn what_cannot_be_read_is_set_aside_and_the_rest_is_there() {
    let site = Site::new("", Engine::Quick);
    let (kept, _) = site.make(&json!({"size": 5, "black": "human", "white": "cpu:beginner"}));
    let (lost, _) = site.make(&json!({"size": 5, "black": "human", "white": "cpu:beginner"}));
    let file = |folder: &str| site.folder.join(folder).join(format!("{}.sgf", lost.id));
    std::fs::write(file(&format!("games/{}", &lost.id[..2])), "(;SZ[5];B[aa]").expect("written");
    let site = site.restarted();
    assert_eq!(site.state(&kept)["phase"], "playing");
    assert_eq!(site.get(&format!("games/{}", lost.id), None).status, 404);
    assert!(site.folder.join("broken").join(format!("{}.sgf", lost.id)).exists());
}

#[test]
fn the_count_as_it_stands_is_explained_and_both_accept_it_or_play_on() {
    let site = Site::new("", Engine::Real);
    let (black, white) = site.friends(&json!({"komi": 0.5}));
    site.play(&black, &white, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass");
    let state = site.wait_for(&black, |state| state["count"].is_object());
    let area = &state["count"]["area"];
    assert_eq!(area["black"], json!({"stones": 5, "territory": 10, "total": 15}));
    assert_eq!(area["white"], json!({"stones": 5, "territory": 5, "total": 10}));
    assert_eq!((&area["text"], &state["count"]["japanese"]["text"]), (&json!("B+4.5"), &json!("B+4.5")));
    assert_eq!(state["count"]["regions"][0]["points"].as_array().map(Vec::len), Some(10));
    refused(&site.act(&black, "mark", &json!({"point": "C1", "dead": true})), 409, "fixed");
    refused(&site.act(&black, "moves", &json!({"move": "A1"})), 409, "illegal counting");
    assert_eq!(site.act(&white, "resume", &json!({})).json()["state"]["phase"], "playing");
    site.play(&black, &white, "A1 pass pass");
    site.wait_for(&black, |state| state["count"].is_object());
    assert_eq!(site.act(&black, "accept", &json!({})).json()["state"]["phase"], "counting");
    let over = site.act(&white, "accept", &json!({})).json()["state"].clone();
    assert_eq!((over["phase"].as_str(), &over["result"]["text"]), (Some("over"), &json!("B+4.5")));
    // White passed, and Black put a stone into his own territory.
    assert_eq!(over["count"]["japanese"]["text"], "B+3.5");
    assert_eq!(over["count"]["why"], json!(["one-more-stone"]));
    refused(&site.act(&black, "undo", &json!({})), 409, "nothing-to-undo");
    refused(&site.act(&black, "resume", &json!({})), 409, "not-counting");
}

#[test]
fn dead_stones_are_marked_by_either_and_agreed_on_by_both() {
    let site = Site::new("", Engine::Real);
    let (black, white) = site.friends(&json!({"rules": "chinese", "komi": 0.5}));
    site.play(&black, &white, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E3 A2 pass pass");
    let state = site.wait_for(&black, |state| state["count"].is_object());
    assert_eq!(state["dead"], json!(["A2", "E3"]));
    assert_eq!(state["count"]["area"]["text"], "B+4.5");
    assert_eq!(site.act(&black, "accept", &json!({})).status, 200);
    let marked = site.act(&white, "mark", &json!({"point": "A2", "dead": false})).json()["state"].clone();
    assert_eq!((&marked["dead"], &marked["accepted"]), (&json!(["E3"]), &json!([])), "who accepted has to look again");
    refused(&site.act(&white, "mark", &json!({"point": "A1", "dead": true})), 409, "no-stone");
    site.act(&white, "mark", &json!({"point": "A2", "dead": true}));
    site.act(&white, "accept", &json!({}));
    assert_eq!(site.act(&black, "accept", &json!({})).json()["state"]["result"]["text"], "B+4.5");
}

#[test]
fn keima_does_not_accept_that_its_living_stones_are_dead() {
    let site = Site::new("", Engine::Real);
    let sgf = "(;SZ[5]KM[8.5]RU[Chinese]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de])";
    let (black, _) = site.make(&json!({"sgf": sgf, "black": "human", "white": "cpu:beginner"}));
    assert_eq!(site.act(&black, "moves", &json!({"move": "pass"})).status, 200);
    let state = site.wait_for(&black, |state| {
        state["count"].is_object()
            || state["moves"].as_array().is_some_and(|moves| moves.len() > 1 && moves[1] != "pass")
    });
    assert_eq!(state["phase"], "counting", "{state}");
    site.act(&black, "mark", &json!({"point": "D1", "dead": true}));
    let reply = site.act(&black, "accept", &json!({}));
    refused(&reply, 409, "not-agreed");
    assert_eq!(reply.json()["dead"], json!([]));
    site.act(&black, "mark", &json!({"point": "D1", "dead": false}));
    assert_eq!(site.act(&black, "accept", &json!({})).json()["state"]["phase"], "over");
}

#[test]
fn keima_answers_and_moves_are_taken_back_to_ones_own() {
    let site = Site::new("", Engine::Real);
    let (black, _) = site.make(&json!({"size": 5, "black": "human", "white": "cpu:beginner", "seed": 1}));
    let answered = site.act(&black, "moves", &json!({"move": "C3"})).json()["state"].clone();
    assert_eq!((&answered["to_move"], &answered["thinking"]["color"]), (&json!("white"), &json!("white")));
    let state = site.wait_for(&black, |state| state["to_move"] == "black");
    assert_eq!((state["moves"].as_array().map(Vec::len), &state["thinking"]), (Some(2), &Value::Null));
    let undone = site.act(&black, "undo", &json!({}));
    assert_eq!(undone.json()["state"]["moves"], json!([]), "{}", undone.text);
    refused(&site.act(&black, "undo", &json!({})), 409, "nothing-to-undo");
    site.act(&black, "moves", &json!({"move": "resign"}));
    assert_eq!(site.state(&black)["result"]["text"], "W+R");
    assert_eq!(site.act(&black, "undo", &json!({})).json()["state"]["phase"], "playing");
}

#[test]
fn a_friend_is_asked_before_a_move_is_taken_back() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({}));
    refused(&site.act(&black, "undo", &json!({})), 409, "nothing-to-undo");
    site.play(&black, &white, "C3 D3");
    assert_eq!(site.act(&black, "undo", &json!({})).json()["state"]["undo_request"], "black");
    refused(&site.act(&black, "undo/accept", &json!({})), 409, "no-request");
    assert_eq!(site.state(&white)["can"]["answer_undo"], true);
    assert_eq!(site.act(&white, "undo/decline", &json!({})).json()["state"]["undo_request"], Value::Null);
    site.act(&black, "undo", &json!({}));
    assert_eq!(site.act(&white, "undo/accept", &json!({})).json()["state"]["moves"], json!([]));
    let (strict, _) = site.friends(&json!({"undo": false}));
    refused(&site.act(&strict, "undo", &json!({})), 403, "no-undo");
}

#[test]
fn whoever_captures_first_has_won() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({"first_capture": 1}));
    site.play(&black, &white, "A2 A1");
    assert_eq!(site.state(&black)["atari"], json!(["A1"]));
    site.play(&black, &white, "B1");
    let state = site.state(&white);
    assert_eq!((&state["result"]["by"], &state["result"]["winner"]), (&json!("capture"), &json!("black")));
    assert_eq!((&state["captured"]["black"], &state["count"]), (&json!(1), &Value::Null));
    let (black, white) = site.friends(&json!({"first_capture": 2}));
    site.play(&black, &white, "A2 A1 B1 pass pass");
    assert_eq!(site.state(&black)["result"]["winner"], "black", "one prisoner is more than none");
}

#[test]
fn a_friend_who_stays_away_loses_only_after_the_time() {
    let site = Site::new("--claim-after 1", Engine::Quick);
    let (black, white) = site.friends(&json!({}));
    refused(&site.act(&black, "claim", &json!({})), 409, "not-claimable");
    site.play(&black, &white, "C3");
    let reply = site.act(&black, "claim", &json!({}));
    refused(&reply, 409, "too-early");
    assert_eq!(reply.json()["wait_s"], 3600);
    let site = Site::new("--claim-after 0", Engine::Quick);
    let (black, white) = site.friends(&json!({}));
    site.play(&black, &white, "C3");
    assert_eq!(site.act(&black, "claim", &json!({})).json()["state"]["result"]["text"], "B+F");
}

#[test]
fn another_game_exchanges_the_colors_of_friends_who_keep_their_tokens() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({"komi": 2.5, "name": "A"}));
    refused(&site.act(&black, "rematch", &json!({})), 409, "not-over");
    site.act(&black, "moves", &json!({"move": "resign"}));
    assert_eq!(
        site.act(&black, "rematch", &json!({})).json()["state"]["rematch"],
        json!({"by": ["black"], "id": null})
    );
    let next = site.act(&white, "rematch", &json!({})).json()["state"]["rematch"]["id"].clone();
    let id = next.as_str().expect("a game").to_string();
    let (first, second) = (Player { id: id.clone(), ..black.clone() }, Player { id: id.clone(), ..white });
    assert_eq!((&site.state(&first)["you"], &site.state(&second)["you"]), (&json!("white"), &json!("black")));
    assert_eq!((&site.state(&first)["komi"], &site.state(&first)["white"]["name"]), (&json!(2.5), &json!("A")));
    let site = site.restarted();
    assert_eq!(site.state(&black)["rematch"]["id"], json!(id));
    let (alone, _) = site.make(&json!({"size": 5, "black": "human", "white": "cpu:beginner"}));
    site.act(&alone, "moves", &json!({"move": "resign"}));
    let next = site.act(&alone, "rematch", &json!({"swap": true})).json()["state"]["rematch"]["id"].clone();
    let next = Player { id: next.as_str().expect("a game").to_string(), ..alone };
    assert_eq!(site.state(&next)["you"], "white");
}

#[test]
fn whoever_asks_again_with_the_same_key_gets_the_same_game() {
    let site = Site::new("", Engine::Quick);
    let wanted = json!({"size": 5, "black": "human", "white": "human", "seat": "black", "key": "abcdefghij0123456789"});
    let ((first, old), (second, new)) = (site.make(&wanted), site.make(&wanted));
    assert!(first.id == second.id && first.token != second.token && old != new);
    assert_eq!((&site.state(&first)["you"], &site.state(&second)["you"]), (&json!("black"), &json!("black")));
    let site = site.restarted();
    assert_eq!(site.make(&wanted).0.id, first.id);
}

#[test]
fn spectators_see_and_do_nothing_and_may_be_kept_out() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({}));
    let path = format!("games/{}", black.id);
    let seen = site.get(&path, None).json();
    let can = seen["can"].as_object().expect("flags");
    assert!(seen["you"].is_null() && can.values().all(|flag| *flag == false), "{can:?}");
    refused(&site.post(&format!("{path}/moves"), None, &json!({"version": 0, "move": "C3"})), 403, "spectator");
    refused(
        &site.post(&format!("{path}/moves"), Some("nonsense"), &json!({"version": 0, "move": "C3"})),
        401,
        "bad-token",
    );
    assert!(!site.get(&path, None).text.contains(&white.token));
    let sgf = site.get(&format!("{path}.sgf"), None);
    assert!(sgf.text.starts_with("(;GM[1]FF[4]") && !sgf.text.contains("KEIMA"), "{}", sgf.text);
    let (hidden, _) = site.friends(&json!({"spectators": false}));
    for path in
        [format!("games/{}", hidden.id), format!("games/{}.sgf", hidden.id), format!("games/{}/events", hidden.id)]
    {
        refused(&site.get(&path, None), 403, "private");
    }
    assert_eq!(site.get(&format!("games/{}", hidden.id), Some(&hidden.token)).status, 200);
}

#[test]
fn events_and_polls_tell_what_is_new_and_nothing_twice() {
    let site = Site::new("", Engine::Quick);
    let (black, white) = site.friends(&json!({}));
    let event = site.get(&format!("games/{}/events", black.id), Some(&black.token));
    assert_eq!(event.head.headers()["content-type"], "text/event-stream");
    let data = event.text.split_once("data: ").expect("data").1.trim();
    let state: Value = serde_json::from_str(data).expect("a state");
    assert_eq!(state["you"], "black");
    site.runtime.block_on(tokio::task::yield_now());
    let seq = site.state(&black)["seq"].as_str().expect("a mark").to_string();
    let poll = |seq: &str| site.get(&format!("games/{}?after={seq}&wait=0", black.id), None);
    assert_eq!(poll(&seq).status, 204);
    site.play(&black, &white, "C3");
    let news = poll(&seq);
    assert_eq!((news.status, &news.json()["last"]), (200, &json!("C3")));
}

#[test]
fn a_record_is_played_on_and_a_bad_one_says_where() {
    let site = Site::new("", Engine::Quick);
    let with = |sgf: &str| json!({"sgf": sgf, "black": "human", "white": "cpu:beginner"});
    let (player, _) = site.make(&with("(;SZ[9]KM[5.5]RU[Japanese];B[ee];W[cc];B[];W[])"));
    let state = site.state(&player);
    assert_eq!(
        (&state["komi"], &state["rules"], &state["phase"]),
        (&json!(5.5), &json!("japanese"), &json!("playing"))
    );
    assert_eq!(state["moves"], json!(["E5", "C7"]));
    refused(&site.act(&player, "undo", &json!({})), 409, "nothing-to-undo");
    let reply = site.post("games", None, &with("(;SZ[9]\n;B[zz])"));
    refused(&reply, 400, "bad-sgf");
    assert_eq!(reply.json()["line"], 2);
    for (sgf, error) in [
        ("(;SZ[8])", "bad-size"),
        ("nothing", "bad-sgf"),
        ("(;SZ[9];B[aa];B[bb])", "bad-sgf"),
        ("(;SZ[9];B[aa];W[aa])", "bad-sgf"),
        ("(;SZ[9]KM[1000])", "bad-komi"),
    ] {
        refused(&site.post("games", None, &with(sgf)), 400, error);
    }
}

#[test]
fn hints_and_advice_are_given_to_whoever_plays_keima_only() {
    let site = Site::new("", Engine::Real);
    let (black, white) = site.friends(&json!({}));
    refused(&site.act(&black, "hint", &json!({})), 403, "no-hint");
    site.play(&black, &white, "C3");
    refused(&site.get(&format!("games/{}/advice", white.id), Some(&white.token)), 403, "no-hint");
    let sgf = "(;SZ[5]KM[0.5]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd])";
    let (player, _) = site.make(&json!({"sgf": sgf, "black": "human", "white": "cpu:beginner"}));
    let hints = site.act(&player, "hint", &json!({})).json()["hints"].clone();
    assert!((1..=3).contains(&hints.as_array().map_or(0, Vec::len)), "{hints}");
    let advice = site.get(&format!("games/{}/advice", player.id), Some(&player.token)).json();
    assert_eq!(advice["open"], json!(["D1"]), "{advice}");
}

#[test]
fn games_that_nobody_comes_back_to_expire() {
    let site = Site::new("--keep-open 1 --keep-cpu 0", Engine::Quick);
    let (open, _) = site.make(&json!({"size": 5, "black": "human", "white": "human", "seat": "black"}));
    let (cpu, _) = site.make(&json!({"size": 5, "black": "human", "white": "cpu:beginner"}));
    assert_eq!(site.app.hall.sweep(), 0);
    for player in [&open, &cpu] {
        let path = site.folder.join("games").join(&player.id[..2]).join(format!("{}.sgf", player.id));
        let file = std::fs::File::options().write(true).open(path).expect("the record");
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3 * 24 * 3600);
        file.set_modified(old).expect("older");
    }
    let folder = site.folder.clone();
    let aside = folder.with_extension("moved");
    std::fs::rename(&folder, &aside).expect("moved");
    drop(site);
    std::fs::rename(&aside, &folder).expect("moved back");
    let site = Site::in_folder(folder, "--keep-open 1 --keep-cpu 0", Engine::Quick);
    assert_eq!(site.app.hall.sweep(), 1);
    assert_eq!(site.get(&format!("games/{}", open.id), None).status, 404);
    assert_eq!(site.get(&format!("games/{}", cpu.id), None).status, 200);
}
