// What tests of strategies import: `tickwright/testing`. It works with any test runner.
export type { FillLine, FindingLine, OrderLine } from './report/accounting/lines.ts';
export type { Summary } from './report/accounting/summary.ts';
export { type MarketOptions, type MarketScript, marketScript, SCRIPT_START } from './testing/market-script.ts';
export { type Played, type PlayOptions, play } from './testing/play.ts';
