// The exports of `tickwright/testing`, for tests of strategies with any test runner.
import type { MarketOptions, MarketScript } from './research/testing/market-script.ts';
import { ScriptedMarket } from './research/testing/scripted-market.ts';

export type { FillLine, FindingLine, LogLine, OrderLine } from './bot/accounting/lines.ts';
export type { Summary } from './bot/accounting/summary.ts';
export type { CheckName, CheckOptions, CheckResult, CheckVerdict, InputValue } from './research/testing/check/result.ts';
export { check } from './research/testing/check-strategy.ts';
export { type MarketOptions, type MarketScript, SCRIPT_START } from './research/testing/market-script.ts';
export { type Played, type PlayOptions, play } from './research/testing/play.ts';
export { testTools } from './research/testing/tools.ts';

/** Creates an empty script. Throws a `UserError` if the embedded exchange has no market of that symbol. */
export const marketScript = ({ symbol = 'BTCUSDC' }: MarketOptions = {}): MarketScript => new ScriptedMarket(symbol);
