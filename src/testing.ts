// The exports of `tickwright/testing`, for tests of strategies with any test runner.
import type { MarketOptions, MarketScript } from './testing/market-script.ts';
import { ScriptedMarket } from './testing/scripted-market.ts';

export type { FillLine, FindingLine, LogLine, OrderLine } from './report/accounting/lines.ts';
export type { Summary } from './report/accounting/summary.ts';
export type { CheckName, CheckOptions, CheckResult, CheckVerdict, InputValue } from './testing/check/result.ts';
export { check } from './testing/check-strategy.ts';
export { type MarketOptions, type MarketScript, SCRIPT_START } from './testing/market-script.ts';
export { type Played, type PlayOptions, play } from './testing/play.ts';
export { testTools } from './testing/tools.ts';

/** Creates an empty script. Throws a `UserError` if the embedded exchange has no market of that symbol. */
export const marketScript = ({ symbol = 'BTCUSDC' }: MarketOptions = {}): MarketScript => new ScriptedMarket(symbol);
