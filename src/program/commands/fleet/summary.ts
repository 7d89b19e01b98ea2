// The output of a fleet: its runs at the start, and the sums at the end.
import { counted } from '../../../base/text/phrases.ts';
import { moneyText } from '../../../bot/accounting/lines.ts';
import type { Summary } from '../../../bot/accounting/summary.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import { exchangeWords } from '../../monitoring/identity.ts';
import { safeText, tableLines } from '../../output/table.ts';
import { heldWords } from '../../output/words.ts';
import type { FleetContext, Member } from './member.ts';

/** The last line of `bot fleet --json`. Money is decimal text, in quote tokens. */
export type FleetSummary = ReturnType<typeof fleetSummary>;

type SummaryInput = Pick<FleetContext, 'members' | 'enforcer'> & { readonly fleet: string; readonly seconds: number };

export function fleetSummary({ fleet, seconds, members, enforcer: { sums, acted } }: SummaryInput) {
  const all = members.flatMap(({ outcome }) => outcome?.summary ?? []);
  const count = (of: (summary: Summary) => number): number => all.reduce((sum, one) => sum + of(one), 0);
  const money = (of: (summary: Summary) => string): string => sumText(all.map(of));
  return {
    kind: 'summary',
    fleet,
    seconds,
    failed: members.filter(({ state }) => state === 'failed').length,
    orders: {
      placed: count(({ orders }) => orders.placed),
      openAtExit: count(({ orders }) => orders.openAtExit),
      unknown: count(({ orders }) => orders.unknown),
    },
    fills: count(({ fills }) => fills),
    volume: money(({ volume }) => volume),
    fees: money((one) => one.fees),
    funding: money((one) => one.funding),
    pnl: money((one) => one.pnl),
    /** Current drawdown of the profit of all runs. */
    drawdown: moneyText(micros(sums.drawdown)),
    /** Notional of all positions, long plus short. */
    grossNotional: moneyText(micros(sums.gross)),
    /** The breached limits, also of an earlier process; in force until `bot resume` has released every run. */
    acted,
    runs: members.map(({ name, plan, resultWords, outcome }) => ({
      /** The run's name in the fleet file. */
      member: name,
      run: plan.facts.run,
      result: resultWords,
      /** Absent if the run never traded. */
      summary: outcome?.summary,
    })),
  };
}

/** Sums decimal texts exactly: they have at most six decimals. */
const sumText = (amounts: readonly string[]): string =>
  moneyText(micros(amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 1_000_000), 0)));

export function startWords(fleet: string, members: readonly Member[]): string {
  const rows = members.map(({ name, plan: { facts, live } }) => [
    `  ${name}`,
    facts.strategy,
    facts.markets.join(', '),
    exchangeWords(facts),
    live ? 'REAL MONEY' : '',
    facts.run,
  ]);
  return [`fleet ${fleet}: ${counted(members.length, 'run')}`, ...tableLines(rows)].map(safeText).join('\n');
}

export function summaryWords({ fleet, seconds, runs, acted, ...sums }: FleetSummary): string {
  const rows = runs.map(({ member, result, summary }) =>
    summary === undefined
      ? [`  ${member}`, result, 'never traded', '', '', '', '', '']
      : cells(member, result, { ...summary, orders: summary.orders.placed, held: heldWords(summary.positions) ?? 'flat' }),
  );
  const together = cells('together', sums.failed === 0 ? 'done' : `${sums.failed} failed`, {
    ...sums,
    orders: sums.orders.placed,
    held: `drawdown ${sums.drawdown}`,
  });
  const limited =
    acted.length === 0 ? [] : [`  limits of the fleet that have acted: ${acted.join(', ')}; resume each run to let it trade again`];
  return [`fleet ${fleet}: ran ${seconds} s`, ...tableLines([...rows, together]), ...limited].map(safeText).join('\n');
}

interface Cells {
  readonly orders: number;
  readonly fills: number;
  readonly volume: string;
  readonly fees: string;
  readonly pnl: string;
  readonly held: string;
}

const cells = (first: string, result: string, { orders, fills, volume, fees, pnl, held }: Cells): readonly string[] => [
  `  ${first}`,
  result,
  `${orders} orders`,
  counted(fills, 'fill'),
  `volume ${volume}`,
  `fees ${fees}`,
  `profit ${pnl}`,
  held,
];
