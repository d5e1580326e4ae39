//! A review as one page that needs nothing else: the curve, the worst moves on the board, figures of the players, and every move.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::picture::{board, curve};
use super::{Judgement, Review};
use crate::color::Color;
use crate::game::Game;
use crate::geometry::Move;

/// Moves that are shown on the board.
const SHOWN: usize = 10;

const STYLE: &str = "body{font-family:sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#202020}\
svg{max-width:100%;height:auto}table{border-collapse:collapse;font-size:90%}\
td,th{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #ddd}th{background:#f4f4f4}td.l,th.l{text-align:left}\
.mistakes{display:flex;flex-wrap:wrap;gap:1.5rem}.mistakes figure{margin:0;max-width:24rem}\
figcaption{font-size:90%;margin-top:.4rem}.bad{color:#b02010}.good{color:#107030}";

/// The game as it was before the move of this number, counted from 1.
type Before<'g> = dyn Fn(usize) -> Option<Game> + 'g;

/// The page. `before` gives the positions that the boards are drawn from.
pub fn page(review: &Review, before: &Before<'_>) -> String {
    let (black, white) = (review.name(Color::Black), review.name(Color::White));
    let title = format!("{black} against {white}");
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p {
                    (review.size) "x" (review.size) ", komi " (review.komi) ", " (review.rules) " rules"
                    @if review.handicap > 0 { ", " (review.handicap) " handicap stones" }
                    @if let Some(result) = &review.result { ", result " (result) }
                    ". From " (review.source) @if review.game > 1 { ", game " (review.game) } "."
                }
                (curve(review).svg())
                p { "Black's chance to win, and Black's lead in points. A ring marks a move that lost two points or more." }
                (figures(review))
                h2 { "The biggest mistakes" }
                @let worst = review.worst(SHOWN);
                @if worst.is_empty() { p { "None was found." } }
                div class="mistakes" { @for judgement in worst { (mistake(review, judgement, before)) } }
                h2 { "All moves" }
                (moves(review))
                p {
                    "Keima " (review.keima) ", "
                    @match review.effort {
                        super::Effort::Visits(visits) => { (visits) " simulations" },
                        super::Effort::Seconds(seconds) => { (seconds) " seconds" },
                    }
                    " for each position."
                }
            }
        }
    }
    .into_string()
}

fn figures(review: &Review) -> Markup {
    let all = review.figures();
    html! {
        table {
            tr {
                th class="l" { "player" } th { "moves" } th { "points lost a move" } th { "chance lost a move" }
                th { "2 points or more" } th { "8 points or more" } th { "as Keima" }
            }
            @for color in Color::BOTH {
                @let figures = all[color];
                tr {
                    td class="l" { (review.name(color)) " (" (color.letter()) ")" }
                    td { (figures.moves) }
                    td { (format!("{:.2}", figures.mean_points)) }
                    td { (format!("{:.1}%", figures.mean_win_rate * 100.0)) }
                    td { (figures.mistakes) } td { (figures.blunders) } td { (figures.first_choices) }
                }
            }
        }
    }
}

fn mistake(review: &Review, judgement: &Judgement, before: &Before<'_>) -> Markup {
    let Some(game) = before(judgement.number) else { return html! {} };
    let g = game.geometry();
    let color = if judgement.player == 'B' { Color::Black } else { Color::White };
    let last = game.turns().last().and_then(|turn| turn.mv.point());
    let played = g.parse_move(&judgement.mv).unwrap_or(Move::Pass);
    let better = judgement.better.first().and_then(|mv| g.parse_move(mv).ok());
    html! {
        figure {
            (board(game.board(), last, color, played, better).svg())
            figcaption {
                "Move " (judgement.number) ", " (review.name(color)) ": "
                span class="bad" { (judgement.mv) } " lost " (format!("{:.1}", judgement.points_lost)) " points and "
                (format!("{:.1}", judgement.win_rate_lost * 100.0)) "%."
                @if !judgement.better.is_empty() { " Better: " span class="good" { (judgement.better.join(" ")) } "." }
            }
        }
    }
}

fn moves(review: &Review) -> Markup {
    let lost = |amount: f64, text: String| if amount > 0.0 { text } else { String::new() };
    html! {
        table {
            tr {
                th { "move" } th class="l" { "" } th { "Black wins" } th { "Black leads" } th { "points lost" }
                th { "chance lost" } th class="l" { "better" }
            }
            @for judgement in &review.moves {
                tr {
                    td { (judgement.number) }
                    td class="l" { (judgement.player) " " (judgement.mv) }
                    td { (format!("{:.1}%", judgement.black_win_rate * 100.0)) }
                    td { (format!("{:+.1}", judgement.black_lead)) }
                    td { (lost(judgement.points_lost, format!("{:.1}", judgement.points_lost))) }
                    td { (lost(judgement.win_rate_lost, format!("{:.1}%", judgement.win_rate_lost * 100.0))) }
                    td class="l" { (judgement.better.join(" ")) }
                }
            }
        }
    }
}
