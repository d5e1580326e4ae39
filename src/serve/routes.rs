//! Which address means what.

/// What an address means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route<'p> {
    /// The page itself.
    Page,
    /// A file of the page: hash, name.
    Asset(&'p str, &'p str),
    /// Whether the site is there.
    Health,
    /// Figures for whoever runs it.
    Metrics,
    /// What can be chosen.
    Config,
    /// New games.
    Games,
    /// What an invitation is to.
    Invitation,
    /// A seat taken by invitation.
    Join,
    /// The state of a game.
    Game(&'p str),
    /// Its record.
    Record(&'p str),
    /// Its events.
    Events(&'p str),
    /// What to look at before a pass.
    Advice(&'p str),
    /// A write on a game, by its name.
    Write(&'p str, &'p [&'p str]),
}

impl Route<'_> {
    /// What the parts of an address mean, if anything.
    pub fn of<'p>(parts: &'p [&'p str]) -> Option<Route<'p>> {
        Some(match parts {
            [""] | ["j"] | ["g", _] => Route::Page,
            ["a", hash, name] => Route::Asset(hash, name),
            ["healthz"] => Route::Health,
            ["metrics"] => Route::Metrics,
            ["api", "v1", "config"] => Route::Config,
            ["api", "v1", "games"] => Route::Games,
            ["api", "v1", "invitation"] => Route::Invitation,
            ["api", "v1", "join"] => Route::Join,
            ["api", "v1", "games", name] => match name.strip_suffix(".sgf") {
                Some(id) => Route::Record(id),
                None => Route::Game(name),
            },
            ["api", "v1", "games", id, "events"] => Route::Events(id),
            ["api", "v1", "games", id, "advice"] => Route::Advice(id),
            ["api", "v1", "games", id, action @ ..] if is_action(action) => Route::Write(id, action),
            _ => return None,
        })
    }

    /// Whether this is a write, which only `POST` may do.
    pub fn writes(self) -> bool {
        matches!(self, Route::Games | Route::Invitation | Route::Join | Route::Write(..))
    }

    /// What the log calls it: never more than the kind of the address.
    pub fn label(self) -> &'static str {
        match self {
            Route::Page => "page",
            Route::Asset(..) => "asset",
            Route::Health => "healthz",
            Route::Metrics => "metrics",
            Route::Config => "config",
            Route::Games => "games",
            Route::Invitation => "invitation",
            Route::Join => "join",
            Route::Game(_) => "game",
            Route::Record(_) => "record",
            Route::Events(_) => "events",
            Route::Advice(_) => "advice",
            Route::Write(_, action) => action.first().map_or("write", |name| {
                ACTIONS.iter().find(|known| known[0] == *name).map_or("write", |known| known[0])
            }),
        }
    }
}

/// What can be done with a game by `POST`.
const ACTIONS: [&[&str]; 13] = [
    &["moves"],
    &["undo"],
    &["undo", "accept"],
    &["undo", "decline"],
    &["hint"],
    &["resume"],
    &["mark"],
    &["accept"],
    &["claim"],
    &["rematch"],
    &["invite"],
    &["uninvite"],
    &["name"],
];

fn is_action(name: &[&str]) -> bool {
    ACTIONS.contains(&name)
}
