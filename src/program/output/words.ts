// The texts of a run: one line for each event, and the summary page at its end.

import { unreachable } from '../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { counted } from '../../base/text/phrases.ts';
import {
  type AlarmLine,
  type CorrectionLine,
  changesOrderOnly,
  type FillLine,
  type FindingLine,
  type Line,
  type LogLine,
  type OrderLine,
  orderStatusWords,
  type UnbookedLine,
} from '../../bot/accounting/lines.ts';
import type { Summary } from '../../bot/accounting/summary.ts';
import { turnsWords } from '../../bot/accounting/turn-causes.ts';
import type { Status } from '../../bot/run/core/run-now.ts';
import { heldBy } from '../../bot/run/state/reasons.ts';
import type { ServiceName, ShownFacts, ShownOutcome } from './presenter.ts';
import { safeText } from './table.ts';

/** Returns the text of an event with its reason, without the time. */
export function lineWords(line: Line): string {
  switch (line.kind) {
    case 'order':
      return safeText(orderWords(line));
    case 'fill':
      return safeText(fillWords(line));
    case 'correction':
      return safeText(correctionWords(line));
    case 'unbooked':
      return safeText(`not booked, because it repeats a fill: ${dealWords(line)}, trade ${line.tradeId}`);
    case 'finding':
      return safeText(findingWords(line));
    case 'alarm':
      return safeText(alarmWords(line));
    case 'log':
      return safeText(logLineWords(line));
    default:
      return unreachable(line);
  }
}

const dealWords = ({ side, size, market, price }: OrderLine | FillLine | UnbookedLine | CorrectionLine): string =>
  `${side} ${size} ${market} at ${price}`;

const orderWords = (line: OrderLine): string => `order ${orderStatusWords(line)}: ${dealWords(line)}${because(line.reason)}`;

const fillWords = (line: FillLine): string => `fill: ${dealWords(line)}, ${line.role}${feeWords(line.fee)}${provisionalWords(line)}`;

function correctionWords(line: CorrectionLine): string {
  const { before, tradeId, clientOrderId } = line;
  if (changesOrderOnly(line))
    return `fill is of ${clientOrderId === undefined ? 'no known order' : `order ${clientOrderId}`}: ${dealWords(line)}, trade ${tradeId}`;
  return `fill corrected: ${dealWords(line)}${feeWords(line.fee)}${provisionalWords(line)}, before at ${before.price}${feeWords(before.fee)}, trade ${tradeId}`;
}

const feeWords = (fee: string | undefined): string => (fee === undefined ? '' : `, fee ${fee}`);

/** Returns for example `, provisional: the exchange reports a price of 6 and a fee of 0.10`. */
export const provisionalWords = ({ provisional }: Pick<FillLine, 'provisional'>): string =>
  provisional === undefined
    ? ''
    : `, provisional: the exchange reports a price of ${provisional.price}${provisional.fee === undefined ? '' : ` and a fee of ${provisional.fee}`}`;

/** Returns for example `24 fills`, or `24 fills, 1 of them provisional`. */
export const fillsWords = ({ fills, provisional }: Pick<Summary, 'fills' | 'provisional'>): string =>
  `${counted(fills, 'fill')}${provisionalCount(provisional)}`;

const provisionalCount = (count: number | undefined): string => (count === undefined ? '' : `, ${count} of them provisional`);

const findingWords = (line: FindingLine): string => `${heldBy(line)}${because(line.reason)}`;

const alarmWords = ({ alarm, market, reason }: AlarmLine): string =>
  `ALARM ${alarm}${market === undefined ? '' : ` ${market}`}${because(reason)}`;

/** Returns for example `log: crossed up fast=101.5 slow=101.2`. */
function logLineWords({ level, text, fields = {} }: LogLine): string {
  const values = Object.entries(fields).map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return `${level === 'warn' ? 'warning' : 'log'}: ${text}${values.join('')}`;
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`);

export function statusWords({ equity, pnl, provisional, positions, openOrders, dataAgeMs }: Status): string {
  const parts = [
    ...(equity === undefined ? [] : [`equity ${equity}`]),
    `profit ${pnl}`,
    ...(provisional === undefined ? [] : [`provisional in ${counted(provisional, 'fill')}`]),
    positionWords(positions),
    counted(openOrders, 'open order'),
    dataAgeMs === undefined ? 'account not read yet' : `account ${secondsText(dataAgeMs)} old`,
  ];
  return `status: ${parts.join(', ')}`;
}

/** Returns a JSON line of pino as plain text: time, level and message. */
export function logWords(line: string): string {
  const { time, level, msg, err } = readJson(line, JSON_LIMITS.state) as {
    time: string;
    level: number;
    msg: string;
    err?: { message?: string };
  };
  const kind = level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : '';
  return safeText(`${time} ${kind}${msg}${because(err?.message)}`);
}

/** The line that replaces dropped lines. */
export const droppedWords = (count: number): string => `${counted(count, 'line')} dropped: the output was not read in time`;

/** Returns for example `512 B`, `34 kB`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Number((bytes / 1_000_000).toFixed(1))} MB`;
}

/** Returns the text for an address. A link to the page expires at its first use, or after ten minutes. */
export const servedWords = (what: Exclude<ServiceName, 'signals'>, url: string): string =>
  what === 'ui' ? `page: ${url} (opens once, within 10 minutes)` : `metrics: ${url}`;

export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function positionWords(positions: Summary['positions']): string {
  const held = heldWords(positions);
  return held === undefined ? 'flat' : `holding ${held}`;
}

/** Returns the positions as text; undefined if there is none. */
export function heldWords(positions: Summary['positions']): string | undefined {
  const held = Object.entries(positions).map(([market, size]) => `${market} ${size}`);
  return held.length === 0 ? undefined : held.join(', ');
}

/** With fewer fills the summary also says what the turns led to. */
const FEW_FILLS = 3;

/** Returns the rows common to all summary pages; the caller formats `position`. */
export function summaryRows(summary: Summary, position: string): readonly PageRow[] {
  const { orders, fills, provisional, volume, pnl, fees, funding, findings, mode, modeReason, exchangeBehindSeconds: behind } = summary;
  const acted = Object.entries(findings).filter(([, count]) => count > 0);
  return [
    ...(behind === undefined ? [] : [['behind', `the exchange left out ${behind} s of the clock: this machine was too busy`] as const]),
    ...(fills < FEW_FILLS ? [['turns', turnsWords(summary)] as const] : []),
    ['orders', `${orders.placed} placed, ${orders.cancelled} cancelled, ${orders.rejected} rejected`],
    ['fills', `${fills}${provisionalCount(provisional)}, volume ${volume}`],
    ['profit', `${pnl}, after fees of ${fees}, with funding of ${funding}`],
    ['position', position],
    ...(mode === undefined ? [] : [['mode', modeReason ?? mode] as const]),
    ['guards', acted.length === 0 ? 'none acted' : acted.map(([guard, count]) => `${guard} ${count}`).join(', ')],
  ];
}

export type PageRow = readonly [name: string, text: string];

export const pageLine = ([name, text]: PageRow): string => `  ${name.padEnd(10)}${safeText(text)}`;

/** Returns rows on a paper run: the quality of its data, the measured latency, and the files of its tapes. */
const paperRows = ({ quality, latency, tapes }: Summary): readonly PageRow[] => [
  ...(quality === undefined ? [] : [['data', quality] as const]),
  ...(latency === undefined
    ? []
    : [['latency', `${latency.median} ms from request to answer, ${latency.p99} ms for the slowest in a hundred`] as const]),
  ...Object.values(tapes ?? {}).map((file) => ['tape', file] as const),
];

/** Returns the summary page at the end of a run. */
export function outcomeWords({ summary, ending, open }: ShownOutcome, facts: ShownFacts): string {
  const rows: readonly PageRow[] = [
    ['ran', `${summary.seconds} s, ${counted(summary.turns, 'turn')}`],
    ...summaryRows(summary, positionWords(summary.positions)),
    ...paperRows(summary),
    ['seed', facts.seed],
    ['state', facts.state],
  ];
  return [
    `${facts.run}: ${ending.kind === 'settled' ? 'done, no order is open' : endingWords(ending)}`,
    ...rows.map(pageLine),
    ...(open.length === 0 ? [] : [openWords(open)]),
  ].join('\n');
}

/** Lists the orders that a person must check, because the run could not prove that they are gone. */
export function openWords(open: ShownOutcome['open']): string {
  const orders = open.map(({ side, size, symbol, price, status, orderId, clientOrderId }) => {
    const id = orderId === undefined ? `client order ${clientOrderId}` : `order ${orderId}`;
    return safeText(`  ${side} ${size} ${symbol} at ${price}, ${status}, ${id}`);
  });
  return ['orders that are still at the exchange, or not proved gone:', ...orders].join('\n');
}

export function endingWords(ending: Exclude<ShownOutcome['ending'], { kind: 'settled' }>): string {
  if (ending.kind === 'unsettled') return `not settled: ${ending.reason}`;
  return ending.settled ? 'failed; all its orders are proved gone' : 'failed; some of its orders are not proved gone';
}
