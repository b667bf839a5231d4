//! The page as text: complete, alone, and safe from what is in it.

use estrange_report::{PageOptions, SearchResults};

use super::{report, sample};

fn page(document: &SearchResults) -> String {
    report(document).page(&PageOptions::default())
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let page = page(&sample::small());
    for needs in ["src=", "<link", "@import", "url(", "fetch(", "http://", "https://"] {
        let found = page.matches(needs).count();
        // The name of the language of drawings is an address, but nobody goes there.
        let allowed = usize::from(needs == "http://");
        assert_eq!(found, allowed, "{needs}");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("{{"));
}

#[test]
fn no_text_can_leave_its_place() {
    let mut document = sample::small();
    document.title = "</title><script>alert(1)</script>".to_owned();
    document.made[0].value = "<img src=x onerror=alert(1)>".to_owned();
    document.models[0].name = "<i>\"'&".to_owned();
    document.queries[0].text = "</script><script>alert(1)</script><!--".to_owned();
    let page = page(&document);
    // The three scripts of the page and its data.
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script").count(), 3);
    assert!(!page.contains("<img") && !page.contains("<i>") && !page.contains("<!--"));
    assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
    assert!(page.contains("\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--"));
}

#[test]
fn what_is_left_out_is_said() {
    let document = sample::small();
    let report = report(&document);
    let few = report.page(&PageOptions { queries: 10, hits: 2, text: 50, hit_text: 20 });
    assert!(few.contains("It shows 10 of 60 queries, taken at equal distances"));
    assert!(few.contains("Of each ranking it shows the first 2."));
    assert!(
        few.contains("of the right function it shows the first 50 characters") || few.contains("first 50 characters")
    );
    let all = report.page(&PageOptions { queries: 60, hits: 5, text: 100_000, hit_text: 100_000 });
    assert!(!all.contains("It shows"));
    assert!(few.len() < all.len() / 2);
}

#[test]
fn a_page_of_the_largest_size_stays_small_enough_to_send() {
    let settings = &["standard", "neutralized", "randomized", "symbol", "x86_64", "wasm32"];
    let document = sample::make(&sample::Size { queries: 3000, settings, models: 4 });
    let page = page(&document);
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
}
