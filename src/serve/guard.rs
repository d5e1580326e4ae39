//! Whose requests are answered: the names under which the site is known, the pages that may write, and the headers that every answer carries.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Uri};

use super::call::CallError;
use super::queue::Client;

/// What pages may load: our own files and nothing else.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
pub const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The address under which people know the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    scheme: String,
    host: String,
}

impl std::str::FromStr for PublicUrl {
    type Err = String;

    /// Reads `https://name` or `https://name:port`.
    fn from_str(text: &str) -> Result<PublicUrl, String> {
        let uri: Uri = text.parse().map_err(|_| "expected an address such as https://go.example.org".to_string())?;
        let (Some(scheme @ ("http" | "https")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err("expected an address that begins with https:// or http://".to_string());
        };
        if authority.as_str().contains('@') || !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err("expected scheme and name only: the site does not live in a folder of another".to_string());
        }
        let (host, usual) = (authority.as_str().to_ascii_lowercase(), if scheme == "https" { ":443" } else { ":80" });
        let host = host.strip_suffix(usual).unwrap_or(&host).to_string();
        Ok(PublicUrl { scheme: scheme.to_string(), host })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)
    }
}

/// The names under which requests are answered.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
    local_hosts: Vec<String>,
    trusts_proxy: bool,
}

impl Guard {
    /// The guard of a site that listens at this address.
    pub fn new(listen: SocketAddr, public: Option<&PublicUrl>, trusts_proxy: bool) -> Guard {
        let port = listen.port();
        let mut names = vec!["localhost".to_string(), "127.0.0.1".to_string(), "[::1]".to_string()];
        if !listen.ip().is_unspecified() {
            names.push(SocketAddr::new(listen.ip(), 0).to_string().trim_end_matches(":0").to_string());
        }
        let local_hosts: Vec<String> = names
            .iter()
            .flat_map(|name| {
                let with_port = format!("{name}:{port}");
                if port == 80 { vec![with_port, name.clone()] } else { vec![with_port] }
            })
            .collect();
        let mut hosts = local_hosts.clone();
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
        if let Some(public) = public {
            hosts.push(public.host.clone());
            hosts.push(format!("{}:{}", public.host, if public.scheme == "https" { 443 } else { 80 }));
            origins.push(public.to_string());
        }
        Guard { hosts, origins, local_hosts, trusts_proxy }
    }

    /// Whether a request is meant for this site: against names of others that lead here.
    ///
    /// # Errors
    /// When it names another host.
    pub fn check_host(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), CallError> {
        let host = uri.authority().map(|authority| authority.as_str().to_ascii_lowercase()).or_else(|| host(headers));
        let named = headers.get_all(header::HOST).iter().count() <= 1;
        if named && host.is_some_and(|host| self.hosts.contains(&host)) {
            Ok(())
        } else {
            Err(CallError::Forbidden("bad-host"))
        }
    }

    /// Whether it comes from a page of this site, if from a page at all.
    ///
    /// # Errors
    /// When it comes from elsewhere.
    pub fn check_origin(&self, method: &Method, headers: &HeaderMap) -> Result<(), CallError> {
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
            if !self.origins.contains(&origin) {
                return Err(CallError::Forbidden("bad-origin"));
            }
        }
        let site = headers.get("sec-fetch-site").map(|site| site.to_str().unwrap_or_default());
        // A person who types an address comes from nowhere; but nobody types a write.
        let is_own = match site {
            None | Some("same-origin") => true,
            Some("none") => *method == Method::GET || *method == Method::HEAD,
            Some(_) => false,
        };
        if is_own { Ok(()) } else { Err(CallError::Forbidden("cross-site")) }
    }

    /// Whether somebody at this machine asks, and no proxy for somebody else.
    pub fn is_local(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let is_forwarded = headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
        peer.is_loopback() && !is_forwarded && host(headers).is_some_and(|host| self.local_hosts.contains(&host))
    }

    /// Where a request comes from: with a proxy before us, the address that it says it answers.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Client {
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back().filter(|_| self.trusts_proxy);
        // The last address is the proxy's own word; those before it are the client's.
        let last = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        Client::at(last.unwrap_or(peer))
    }
}

fn host(headers: &HeaderMap) -> Option<String> {
    headers.get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase)
}

/// Adds the headers of every answer.
pub fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
    use hyper::{Method, Uri};

    use super::{Guard, PublicUrl};
    use crate::serve::queue::Client;

    fn guard(listen: &str, public: Option<&str>) -> Guard {
        let public = public.map(|url| url.parse::<PublicUrl>().expect("an address"));
        Guard::new(listen.parse().expect("an address"), public.as_ref(), true)
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn only_the_names_of_the_site_are_answered() {
        let site = guard("127.0.0.1:8361", Some("https://go.example.org"));
        let uri = Uri::from_static("/");
        let answers = |host| site.check_host(&headers(&[(HOST.as_str(), host)]), &uri).is_ok();
        assert!(
            ["127.0.0.1:8361", "LOCALHOST:8361", "[::1]:8361", "go.example.org", "go.example.org:443"].map(answers)
                == [true; 5]
        );
        for host in ["evil.example", "127.0.0.1", "go.example.org:8361", "localhost:80", ""] {
            assert!(!answers(host), "{host}");
        }
        assert!(site.check_host(&HeaderMap::new(), &uri).is_err());
        let twice = headers(&[(HOST.as_str(), "go.example.org"), (HOST.as_str(), "go.example.org")]);
        assert!(site.check_host(&twice, &uri).is_err());
    }

    #[test]
    fn only_pages_of_the_site_may_write() {
        let site = guard("127.0.0.1:8361", Some("https://go.example.org"));
        let answers =
            |pairs: &[(&'static str, &'static str)]| site.check_origin(&Method::POST, &headers(pairs)).is_ok();
        assert!(
            answers(&[]) && answers(&[(ORIGIN.as_str(), "https://go.example.org"), ("sec-fetch-site", "same-origin")])
        );
        for bad in ["null", "https://evil.example", "http://go.example.org", "https://go.example.org.evil.example"] {
            assert!(!answers(&[(ORIGIN.as_str(), bad)]), "{bad}");
        }
        for bad in ["cross-site", "same-site", "none", "?"] {
            assert!(!answers(&[("sec-fetch-site", bad)]), "{bad}");
        }
        assert!(site.check_origin(&Method::GET, &headers(&[("sec-fetch-site", "none")])).is_ok());
    }

    #[test]
    fn the_proxys_word_counts_and_the_clients_does_not() {
        let site = guard("127.0.0.1:8361", None);
        let peer = "127.0.0.1".parse().expect("an address");
        let forwarded = headers(&[("x-forwarded-for", "198.51.100.1, 192.0.2.7")]);
        assert_eq!(site.client(peer, &forwarded), Client::at([192, 0, 2, 7].into()));
        assert_eq!(site.client(peer, &headers(&[("x-forwarded-for", "nonsense")])), Client::at(peer));
        let host = (HOST.as_str(), "localhost:8361");
        assert!(site.is_local(peer, &headers(&[host])));
        assert!(!site.is_local(peer, &headers(&[host, ("x-forwarded-for", "127.0.0.1")])));
    }

    #[test]
    fn a_public_address_is_a_scheme_and_a_name() {
        let read = |text: &str| text.parse::<PublicUrl>().map(|url| url.to_string());
        assert_eq!(read("https://Go.Example.org:443/").as_deref(), Ok("https://go.example.org"));
        assert_eq!(read("http://localhost:8080").as_deref(), Ok("http://localhost:8080"));
        for bad in ["", "go.example.org", "ftp://a", "https://a/b", "https://u@a", "https://a/?x"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
