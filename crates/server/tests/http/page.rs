//! The page at `/`, as far as it can be looked at without a browser.

use crate::support::Setup;

#[tokio::test]
async fn the_page_is_shown_without_a_key_and_asks_for_nothing_from_elsewhere() {
    let mut setup = Setup::answering("abc");
    setup.options.api_keys = tyto_server::ApiKeys::new(["secret"]);
    let server = setup.start().await;
    for (path, kind) in
        [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")]
    {
        let reply = server.get(path).send().await.expect("a reply");
        assert_eq!(reply.status().as_u16(), 200, "{path}");
        let header = |name: &str| reply.headers()[name].to_str().expect("text").to_owned();
        assert!(header("content-type").starts_with(kind), "{path}");
        assert!(header("content-security-policy").starts_with("default-src 'none'"), "{path}");
        let text = reply.text().await.expect("text");
        assert!(!text.contains("://"), "{path} names another place");
    }
}

/// What the script looks for is in the page, every field has a label, and no text becomes HTML.
#[tokio::test]
async fn page_and_script_belong_together() {
    let server = Setup::answering("abc").start().await;
    let get = async |path: &str| {
        server.get(path).send().await.expect("a reply").text().await.expect("text")
    };
    let (html, script) = (get("/").await, get("/page.js").await);
    let wanted: Vec<&str> =
        script.split("element(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(wanted.len() > 10, "{wanted:?}");
    for id in wanted {
        assert!(html.contains(&format!("id=\"{id}\"")), "the page has no {id}");
    }
    for field in html.split("<textarea id=\"").skip(1).chain(html.split("<input id=\"").skip(1)) {
        let id = field.split('"').next().expect("an id");
        assert!(html.contains(&format!("for=\"{id}\"")), "{id} has no label");
    }
    for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        assert!(!script.contains(way), "{way}");
    }
}
