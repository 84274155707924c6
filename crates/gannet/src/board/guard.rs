//! Who may ask: programs and pages of this machine, not other web sites.
//!
//! Any site a browser visits can make it send requests here. Two tricks are known, and each is met by a header that a
//! page cannot forge: a request straight from another site has its name in `Origin`; a site that lets its own name
//! lead to this address has that name in `Host`. So `Host` must be a number or `localhost`, and `Origin` the same.

use std::net::{IpAddr, Ipv6Addr};

/// The headers that tell where a request comes from.
#[derive(Clone, Copy, Default)]
pub struct Source<'a> {
    /// The address that the browser believes to talk to.
    pub host: Option<&'a str>,
    /// The site whose page asks.
    pub origin: Option<&'a str>,
    /// What the browser itself thinks of that.
    pub fetch_site: Option<&'a str>,
    /// Whether the browser wants a page or something for a page.
    pub fetch_mode: Option<&'a str>,
}

impl Source<'_> {
    /// Whether the request may be answered; if not, why.
    pub fn check(self) -> Result<(), String> {
        let host = self.host.ok_or("the header Host is missing")?;
        if !is_number_or_local(host) {
            return Err(format!("Host is '{host}', expected localhost or the number of this machine's address"));
        }
        if let Some(origin) = self.origin
            && !origin.strip_prefix("http://").is_some_and(|site| site.eq_ignore_ascii_case(host))
        {
            return Err(format!("the page of '{origin}' may not ask here, only that of http://{host}"));
        }
        match self.fetch_site {
            None | Some("same-origin" | "none") => Ok(()),
            // A link that somebody followed. Forms of other sites have an origin and do not get this far.
            Some(_) if self.fetch_mode == Some("navigate") => Ok(()),
            Some(other) => Err(format!("a request from another site (Sec-Fetch-Site: {other}) is not answered")),
        }
    }
}

/// Whether this is `localhost` or an address in numbers, with a port or without.
fn is_number_or_local(host: &str) -> bool {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split_once(']').is_some_and(|(number, port)| number.parse::<Ipv6Addr>().is_ok() && is_port(port));
    }
    let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
    is_port(port) && (name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok())
}

/// Nothing, or a colon and a number.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|number| number.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_and_numbers_are_hosts() {
        for host in ["localhost", "LocalHost:8080", "127.0.0.1:1", "[::1]", "[::1]:8080", "192.168.0.7:80"] {
            assert_eq!(Source { host: Some(host), ..Source::default() }.check(), Ok(()), "{host}");
        }
        let bad = ["", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "[::1"];
        for host in bad.into_iter().chain(["127.0.0.1:port", "127.0.0.1:", "::1", "localhost:99999", "[::1]8080"]) {
            assert!(Source { host: Some(host), ..Source::default() }.check().is_err(), "{host}");
        }
        assert!(Source::default().check().is_err());
    }

    #[test]
    fn pages_of_other_sites_are_turned_away() {
        let from = |origin, fetch_site| {
            Source { host: Some("localhost:8080"), origin, fetch_site, fetch_mode: None }.check().is_ok()
        };
        assert!(
            from(None, None) && from(Some("http://localhost:8080"), Some("same-origin")) && from(None, Some("none"))
        );
        for origin in
            ["http://evil.example", "null", "https://localhost:8080", "http://localhost:8081", "localhost:8080"]
        {
            assert!(!from(Some(origin), None), "{origin}");
        }
        assert!(!from(None, Some("cross-site")) && !from(None, Some("same-site")));
        let link =
            Source { fetch_site: Some("cross-site"), fetch_mode: Some("navigate"), host: Some("[::1]"), origin: None };
        assert_eq!(link.check(), Ok(()));
        assert!(Source { origin: Some("http://evil.example"), ..link }.check().is_err(), "a form is no link");
    }
}
