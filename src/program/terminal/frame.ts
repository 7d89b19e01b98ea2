// Lays out the live view of a run as rows of text. `run-rows.ts` lays out what is said of the whole run, `market-rows.ts` one market;
// `view-model-of-run.ts` collects the data.
import { COMMAND } from '../../base/package.ts';
import { firstOfEach, heldBy } from '../../bot/run/state/reasons.ts';
import { fillsWords } from '../output/words.ts';
import { marketRows } from './market-rows.ts';
import { cents, type FrameSize, pageRow, runRows } from './run-rows.ts';
import { type Colours, firstFitting, fitted, joinColumns, painted, piece, type StyledRow, type Tone } from './styled-rows.ts';
import type { EventLine, ViewModel } from './view-model.ts';

/** Minimum width to show the latest events to the right of the markets. */
const VERY_WIDE = 150;
/** Width of the markets on such a screen. */
const MARKETS_WIDTH = 104;
/** Rows reserved for the latest events below the markets. */
const EVENT_ROWS = 5;
/** Maximum useful height of a market. */
const FULL_MARKET = 26;

/** Returns the view as text: at most `height` lines, each of exactly `width` columns, not counting the codes of colours. */
export const frame = (model: ViewModel, size: FrameSize, colours: Colours): string =>
  frameRows(model, size)
    .map((row) => painted(row, colours))
    .join('\n');

/** Returns the same view as rows with tones instead of colours. */
export function frameRows(model: ViewModel, size: FrameSize): StyledRow[] {
  const { width, height } = size;
  const top = runRows(model, size);
  const room = { width, height: height - top.length - 1 };
  const body = width >= VERY_WIDE ? sideBySide(model, room) : stacked(model, room);
  return [...[...top, ...body].slice(0, height - 1), hints(model, width)].slice(-height).map((row) => fitted(row, width));
}

function stacked(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const rows = marketsRows(model, { width, height: height - EVENT_ROWS });
  return [...rows, ...eventRows(model, height - rows.length)];
}

function sideBySide(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const markets = marketsRows(model, { width: MARKETS_WIDTH - 2, height });
  return joinColumns(markets, eventRows(model, height), { width, leftWidth: MARKETS_WIDTH });
}

function marketsRows(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const each = Math.min(FULL_MARKET, Math.floor(height / Math.max(1, model.markets.length)));
  return model.markets.flatMap((market) => marketRows(market, model, { width, height: each }));
}

/**
 * Returns the latest events below or beside the markets: divides the `room` rows among alarms, findings, the strategy's log, fills and order changes. If
 * there is room for one row only, it has the newest event.
 */
function eventRows({ alarms, held, fills, changes, logs, status }: ViewModel, room: number): StyledRow[] {
  const findings = firstOfEach(held).map((finding) => ({ at: finding.since, text: `${heldBy(finding)}: ${finding.reason}` }));
  const sections = [
    { name: 'last alarms', items: alarms, tone: 'bad' as const },
    { name: 'held back now', items: findings },
    { name: 'log', items: logs },
    { name: `last of ${fillsWords(status)}, volume ${cents(status.volume)}`, items: fills },
    { name: `last orders, of ${status.placed} placed and ${status.rejected} rejected`, items: changes },
  ].filter(({ items }) => items.length > 0);
  if (room === 1)
    return [alarms.at(-1) ?? [...logs, ...fills, ...changes].toSorted(byTime).at(-1)].flatMap((item) =>
      item === undefined ? [] : [eventRow(item)],
    );
  const shown = sections.slice(0, Math.max(0, Math.floor(room / 2)));
  const rows: StyledRow[] = [];
  for (const [index, { name, items, tone }] of shown.entries()) {
    const most = Math.floor((room - rows.length) / (shown.length - index)) - 1;
    rows.push([piece(name, tone ?? 'dim')], ...items.slice(-most).map((item) => eventRow(item, tone)));
  }
  return rows;
}

const byTime = (a: EventLine, b: EventLine): number => a.at.localeCompare(b.at);
const eventRow = ({ at, text }: EventLine, tone: Tone = 'plain'): StyledRow => [piece(`  ${at.slice(11, 19)} `, 'dim'), piece(text, tone)];

/** The keys, and a command: if the link of the page is not on the screen, the one that prints another. */
function hints(model: ViewModel, width: number): StyledRow {
  const [command, ...rest] =
    model.link === undefined || pageRow(model, width).length > 0
      ? (['why last', ' explains an order; so does why with its number or price', ' explains the last order'] as const)
      : (['ui link', ' prints another link of the page'] as const);
  const rows: readonly (readonly [string, string])[] = [
    ...rest.map((words) => [LONG_HINT, words] as const),
    [LONG_HINT, ''],
    [' ends', ''],
  ];
  return firstFitting(
    rows.map(
      ([does, words]): StyledRow => [
        piece('Ctrl-C', 'bold'),
        piece(`${does}   `, 'dim'),
        piece(`${COMMAND} ${command}`, 'bold'),
        piece(words, 'dim'),
      ],
    ),
    width,
  );
}

const LONG_HINT = ' cancels all orders and ends';
