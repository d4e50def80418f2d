#include "server/ui_style.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kStyle = R"css(
:root {
  color-scheme: light dark;
  --text: #1d2329; --soft: #5b6670; --line: #dde2e7; --ground: #ffffff; --raised: #f5f7f9;
  --link: #0b5cad; --mark: #e6eff8; --mark-text: #0b4a8a; --bad: #a3261b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e7eb; --soft: #98a3ad; --line: #323a42; --ground: #14181c; --raised: #1c2228;
    --link: #7db8f0; --mark: #1e3247; --mark-text: #a9d0f5; --bad: #f08a7f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 76rem;
  font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground);
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--link); outline-offset: 2px;
}
nav ol { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none; color: var(--soft); }
nav li { overflow-wrap: anywhere; }
nav li + li::before { content: "/"; padding: 0 .55rem; color: var(--line); }
h1 { margin: .75rem 0 .25rem; font-size: 1.7rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; max-width: 46rem; overflow-wrap: anywhere; }
.soft, .empty { color: var(--soft); }
.empty { padding: 1rem; border: 1px dashed var(--line); border-radius: 8px; max-width: none; }
.bad { color: var(--bad); }
.kind {
  display: inline-block; padding: 0 .5rem; border-radius: 999px; font-size: .85rem;
  background: var(--mark); color: var(--mark-text); white-space: nowrap;
}
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0 0; }
.scroll { margin-top: .75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { padding: .45rem .8rem; text-align: left; vertical-align: top; }
th { background: var(--raised); color: var(--soft); font-weight: 600; white-space: nowrap; }
tr + tr > *, thead + tbody > tr > * { border-top: 1px solid var(--line); }
tbody th { width: min(12rem, 30vw); }
td { overflow-wrap: anywhere; min-width: 8rem; unicode-bidi: isolate; }
td.number {
  width: 1%; min-width: 0; text-align: right; font-variant-numeric: tabular-nums; color: var(--soft);
}
code, pre { font: .88rem/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
pre {
  margin: .5rem 0; padding: .8rem 1rem; overflow: auto; max-height: 75vh; background: var(--raised);
  border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere;
}
summary { cursor: pointer; }
footer { margin-top: 3rem; font-size: .88rem; color: var(--soft); }
)css";

}  // namespace

std::string_view UiStyle() { return kStyle.substr(1); }

}  // namespace gluecat::server
