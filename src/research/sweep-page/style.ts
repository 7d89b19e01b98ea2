// The styles of a sweep's page, in addition to those of a report.

export const SWEEP_STYLE = `
.verdict { margin: 0 0 24px; padding: 14px 18px; border-left: 5px solid var(--grey); border-radius: 8px; background: var(--panel); font-size: 18px; overflow-wrap: anywhere; }
.verdict.promising { border-color: var(--green); }
.verdict.noise, .verdict.nothing, .verdict.failed { border-color: var(--orange); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 20px; }
.plots figure { margin: 0; }
svg { display: block; width: 100%; overflow: visible; }
svg.line { height: 180px; }
svg .frame { fill: none; stroke: var(--grid); vector-effect: non-scaling-stroke; }
svg .zero { stroke: var(--muted); stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
svg .dot { fill: var(--blue); fill-opacity: 0.35; }
svg .best { fill: var(--orange); }
svg .mean, svg .curve { fill: none; stroke: var(--blue); stroke-width: 2; vector-effect: non-scaling-stroke; }
svg .other { fill: none; stroke: var(--grey); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
svg .holdout { fill: var(--orange); fill-opacity: 0.14; }
svg text { fill: var(--muted); font-size: 11px; }
.key { display: inline-block; width: 14px; height: 3px; margin: 0 5px 3px 10px; background: var(--blue); }
.key.grey { background: var(--grey); }
.key.band { height: 12px; margin-bottom: -1px; background: var(--orange); opacity: 0.25; }
.heat td, .heat th { text-align: center; white-space: nowrap; }
.ends { display: flex; justify-content: space-between; margin: 4px 0; color: var(--muted); font-size: 12px; }
.heat th:first-child { width: 1%; }
.heat tbody th { text-align: right; color: var(--muted); }
.heat .answer { outline: 2px solid var(--text); outline-offset: -2px; font-weight: 700; }
${[1, 2, 3, 4, 5].map((level) => `.heat .up${level} { background: color-mix(in srgb, var(--blue) ${level * 11}%, var(--panel)); }`).join('\n')}
${[1, 2, 3, 4, 5].map((level) => `.heat .down${level} { background: color-mix(in srgb, var(--orange) ${level * 11}%, var(--panel)); }`).join('\n')}
`;
