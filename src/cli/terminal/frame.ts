// A picture of a run as the text of a terminal screen.
import type { Millis } from '../../base/clock.ts';
import { SIDES, type Side } from '../../domain/side.ts';
import { secondsText } from '../output/words.ts';
import type { AccountPicture, Happening, MarginPicture, MarketPicture, Picture, RunState } from './picture.ts';
import { bar, beside, type Colours, fitted, type Piece, painted, piece, type Row, type Tone, widthOf } from './rows.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** From this width on, the book and our orders are side by side. */
const WIDE = 79;
const BOOK_WIDTH = 40;
/** Levels of a book per side, at most. */
const DEEPEST = 6;
/** Rows reserved for the latest events. */
const HAPPENING_ROWS = 6;
/** Width of the label column. */
const LABEL = 12;
const BLANK: Row = [];

/** At most `height` lines of exactly `width` columns each, without the colours. */
export const frame = (picture: Picture, size: FrameSize, colours: Colours): string =>
  frameRows(picture, size)
    .map((row) => painted(row, colours))
    .join('\n');

/** The same as rows of text with their tones: at most `height`, each of exactly `width` columns. */
export function frameRows(picture: Picture, { width, height }: FrameSize): Row[] {
  const top = [...header(picture, width), ...account(picture, width)];
  const room = Math.floor((height - top.length - HAPPENING_ROWS) / Math.max(1, picture.markets.length));
  const depth = Math.max(1, Math.min(DEEPEST, Math.floor(width >= WIDE ? (room - 3) / 2 : (room - 5) / 3)));
  const rows = [...top, ...picture.markets.flatMap((market) => marketRows(market, { width, depth }))];
  return [...rows, ...happenings(picture, height - rows.length)].slice(0, height).map((row) => fitted(row, width));
}

function header({ title, state, elapsedMs, link }: Picture, width: number): Row[] {
  const left: Row = [piece(`${title.strategy} on ${title.exchange}`, 'bold'), piece(`  ${title.run}`, 'dim')];
  const right: Row = [STATES[state.kind], piece(` ${clockText(elapsedMs)}`)];
  const note: Row[] =
    state.kind === 'stopping' ? [[piece(`${state.reason}; cancelling all orders, Ctrl-C again ends at once`, 'warn')]] : [];
  const page: Row[] = link === undefined ? [] : [[piece(`page ${link}`, 'dim')]];
  return [[...fitted(left, Math.max(0, width - widthOf(right) - 1)), piece(' '), ...right], ...note, ...page, BLANK];
}

const STATES: Readonly<Record<RunState['kind'], Piece>> = {
  waiting: piece('waiting for data', 'warn'),
  trading: piece('trading', 'good'),
  stopping: piece('stopping', 'warn'),
};

/** `01:02:03` */
function clockText(span: Millis): string {
  const seconds = Math.floor(span / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function account({ account: seen, session, ages, faults }: Picture, width: number): Row[] {
  const barWidth = Math.max(8, Math.min(40, width - 50));
  const left =
    session === undefined
      ? [piece('none yet', 'warn')]
      : [piece(bar(session.share, barWidth), 'dim'), piece(` ${lifeText(session.leftMs)} left`)];
  return [
    ...(seen === undefined ? [[piece('account'.padEnd(LABEL)), piece('not seen yet', 'warn')]] : accountRows(seen, barWidth)),
    [piece('session'.padEnd(LABEL)), ...left],
    [
      piece('data'.padEnd(LABEL)),
      ...ages.flatMap(({ stream, ageMs }) => [piece(`${stream} `, 'dim'), piece(`${ageMs === undefined ? '-' : secondsText(ageMs)}  `)]),
    ],
    ...faults.slice(0, 2).map((fault): Row => [piece(' '.repeat(LABEL)), piece(fault, 'bad')]),
    BLANK,
  ];
}

function accountRows({ equity, pnl, margins }: AccountPicture, barWidth: number): Row[] {
  return [
    [piece('equity'.padEnd(LABEL)), piece(equity, 'bold'), piece('   pnl '), piece(pnl, signTone(pnl))],
    ...margins.map(
      (margin): Row => [
        piece(`${margin.name} of ${margin.against}`.padEnd(LABEL)),
        piece(bar(margin.share, barWidth), dangerTone(margin)),
        piece(` ${Math.round(Math.min(margin.share, 9.99) * 100)} %  ${margin.required} of ${margin.there}`),
      ],
    ),
  ];
}

const dangerTone = ({ share }: MarginPicture): Tone => (share < 0.5 ? 'good' : share < 0.8 ? 'warn' : 'bad');
const signTone = (amount: string): Tone => (amount.startsWith('-') ? 'bad' : 'good');
const sideTone = (side: Side): Tone => (side === 'bid' ? 'good' : 'bad');

function lifeText(span: Millis): string {
  const minutes = Math.floor(span / 60_000);
  if (minutes < 1) return `${Math.floor(span / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function marketRows(market: MarketPicture, { width, depth }: { width: number; depth: number }): Row[] {
  const { position, symbol } = market;
  const held: Row =
    position === undefined
      ? [piece('flat', 'dim')]
      : [piece(`position ${position.size} from ${position.entry}, pnl `), piece(position.pnl, signTone(position.pnl))];
  const title: Row = [piece(symbol, 'bold'), piece('  '), ...held];
  const book = bookRows(market, depth);
  const body =
    width >= WIDE
      ? beside(book, orderRows(market, depth), { width, leftWidth: BOOK_WIDTH })
      : [...book, ...orderRows(market, Math.ceil(depth / 2))];
  return [title, ...body, BLANK];
}

/** The asks from the farthest down to the best, then the bids from the best down. */
function bookRows({ book }: MarketPicture, depth: number): Row[] {
  const head: Row = [piece(columns('price', 'size', 'ours'), 'dim')];
  const rows = (side: Side): Row[] =>
    book[side]
      .slice(0, depth)
      .map(({ price, size, own }) => [
        piece(columns(price, size, own ?? ''), sideTone(side)),
        piece(own === undefined ? '' : ' ◂', 'bold'),
      ]);
  return [head, ...rows('ask').reverse(), ...rows('bid')];
}

const columns = (...[price, size, own]: readonly [string, string, string]): string =>
  `${price.padStart(12)}${size.padStart(11)}${own.padStart(11)}`;

/** The `most` nearest of each side, in the order of the book. */
function orderRows({ orders }: MarketPicture, most: number): Row[] {
  const count = SIDES.reduce((sum, side) => sum + orders[side].length, 0);
  const shown = [...orders.ask.slice(0, most).reverse(), ...orders.bid.slice(0, most)];
  return [
    [piece(`own orders: ${count}`, 'dim')],
    ...shown.map(
      ({ side, price, remaining, status }): Row => [
        piece(side.padEnd(4), sideTone(side)),
        piece(`${price.padStart(12)}${remaining.padStart(11)}  `),
        piece(status, status === 'open' ? 'dim' : 'warn'),
      ],
    ),
  ];
}

/** Alarms, findings, the strategy's log, fills and order changes share the rows that are left. */
function happenings({ alarms, findings, fills, changes, logs }: Picture, room: number): Row[] {
  const sections = [
    { name: 'last alarms', items: alarms, tone: 'bad' as const },
    { name: 'held back now', items: findings },
    { name: 'log', items: logs },
    { name: 'last fills', items: fills },
    { name: 'last orders', items: changes },
  ].filter(({ items }) => items.length > 0);
  const each = Math.max(1, Math.floor(room / Math.max(1, sections.length)) - 1);
  return sections.flatMap(({ name, items, tone }) => [
    [piece(name, tone ?? 'dim')] as Row,
    ...items.slice(-each).map((item) => happeningRow(item, tone)),
  ]);
}

const happeningRow = ({ at, text }: Happening, tone: Tone = 'plain'): Row => [piece(`  ${at.slice(11, 19)} `, 'dim'), piece(text, tone)];
