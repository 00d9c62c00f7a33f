/** Style of a report: readable on a screen, in the dark and on paper. */
export const STYLE = `
:root{color-scheme:light dark;--fg:#1a1d21;--bg:#fff;--soft:#f2f4f6;--line:#d5dae0;--mute:#5c6670;--ok:#14713a;--bad:#b3201b;--warn:#8a5a00;--plot:#1f5fbf}
@media (prefers-color-scheme:dark){:root{--fg:#e6e9ec;--bg:#15181b;--soft:#20252a;--line:#39414a;--mute:#9aa5b1;--ok:#5cc98a;--bad:#ff8a80;--warn:#f0c060;--plot:#7fb2ff}}
*{box-sizing:border-box}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1100px;padding:24px;color:var(--fg);background:var(--bg)}
h1{font-size:22px;margin:0 0 4px}h2{font-size:17px;margin:28px 0 8px}h3{font-size:15px;margin:16px 0 4px}
.banner{border:2px solid;border-radius:8px;padding:14px 18px;margin:16px 0;display:flex;gap:16px;align-items:baseline;flex-wrap:wrap}
.banner strong{font-size:24px;text-transform:uppercase}
.mark{border:2px dashed var(--warn);color:var(--warn);border-radius:8px;padding:10px 18px;margin:16px 0;font-weight:600}
.first{font-weight:600;margin:8px 0}
.passed{color:var(--ok)}.failed,.error,.aborted{color:var(--bad)}.skipped,.done{color:var(--mute)}.warning,.inconclusive{color:var(--warn)}td.inconclusive{white-space:nowrap}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:5px 10px;border-bottom:1px solid var(--line);vertical-align:top}
th{background:var(--soft);font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 16px;margin:0}dt{color:var(--mute)}dd{margin:0;overflow-wrap:anywhere}
svg{width:100%;max-width:760px;height:auto;background:var(--soft);border-radius:6px}
svg text{font-size:11px;fill:var(--mute)}.grid{stroke:var(--line);stroke-width:1}.limit{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:6 4}.line{fill:none;stroke:var(--plot);stroke-width:1.8}
pre{background:var(--soft);padding:10px;border-radius:6px;overflow-x:auto;font-size:12px;line-height:1.35;white-space:pre-wrap;overflow-wrap:anywhere}
summary{cursor:pointer;font-weight:600}.none{color:var(--mute)}
tr.group th{background:none;padding-top:12px}
@page{size:A4;margin:12mm}
@media print{body{max-width:none;padding:0;font-size:11px;line-height:1.3}details,h2:has(+details){display:none}.scroll{overflow:visible}
h1{font-size:17px}h2{font-size:13px;margin:10px 0 4px}h3{font-size:11px;margin:4px 0 2px}h2,h3,tr.group,thead{break-after:avoid}
tr,svg,.sample{break-inside:avoid}th,td{padding:2px 6px;overflow-wrap:anywhere}th,td.n{overflow-wrap:normal}tr.group th{padding-top:5px}
.banner,.mark{padding:5px 10px;margin:6px 0}.banner strong{font-size:16px}
dl{gap:1px 12px;grid-template-columns:max-content 1fr max-content 1fr}.sample{display:inline-block;width:49%;vertical-align:top}.sample p{margin:2px 0}svg text{font-size:16px}}
`;
