// The lies of an exchange: for a while, one field of one endpoint is wrong in every reply. One table, applied by small pure functions.

/** What the field no longer shows. Two lies about one subject leave no independent witness of it. */
export type LieSubject = 'resting' | 'history' | 'position' | 'fills' | 'value' | 'time' | 'numbers' | 'schema';

/** A reply as JSON; numbers may be objects that keep all their digits. */
export type JsonReply = Readonly<Record<string, unknown>>;

/** The account of somebody else. */
export interface Stranger {
  readonly id: number;
  readonly account: JsonReply;
}

/** What a lie may be made of besides the true reply. */
export interface LieContext {
  /** The true reply when the lie began. */
  readonly first: JsonReply;
  readonly stranger: () => Stranger;
  /** Seconds or a factor, by the fault. */
  readonly amount: number;
}

interface LieTerms {
  /** The endpoint, as a fault names it. */
  readonly path: 'account' | 'trades' | 'time' | 'info';
  /** The address of the endpoint. */
  readonly at: RegExp;
  readonly about: LieSubject;
  /** True if the account's own counts of its orders agree with what it leaves out. */
  readonly isCounted?: boolean;
  /** The amounts that a plan draws from. */
  readonly amounts?: readonly number[];
  readonly apply: (truth: JsonReply, context: LieContext) => JsonReply;
}

type Row = Record<string, unknown>;

const ACCOUNT = /^\/account\/\d+$/;
const ORDERS = /^\/account\/\d+\/orders(?:\?|$)/;
const OWN_TRADES = /^\/trades\?.*(?:maker|taker)Id=/;
const TIME = /^\/timestamp$/;

const rowsIn = (reply: JsonReply, name: string): readonly Row[] => (reply[name] ?? []) as readonly Row[];
const inRows =
  (name: string, change: (row: Row, context: LieContext) => Row) =>
  (truth: JsonReply, context: LieContext): JsonReply => ({ ...truth, [name]: rowsIn(truth, name).map((row) => change(row, context)) });

type IsLeftOut = (order: Row, index: number) => boolean;
const ALL: IsLeftOut = () => true;
const EVERY_OTHER: IsLeftOut = (_, index) => index % 2 === 1;
const isOf =
  (side: string): IsLeftOut =>
  ({ side: its }) =>
    its === side;

/** Leaves orders out. With `counted`, the counts of the positions agree with the orders that are left. */
const without =
  (isLeftOut: IsLeftOut, { counted }: { readonly counted: boolean }) =>
  (truth: JsonReply): JsonReply => {
    const orders = rowsIn(truth, 'orders').filter((order, index) => !isLeftOut(order, index));
    if (!counted) return { ...truth, orders };
    const countIn = (market: unknown): number => orders.filter(({ marketId }) => String(marketId) === String(market)).length;
    const positions = rowsIn(truth, 'positions').map((position) => ({ ...position, openOrders: countIn(position['marketId']) }));
    return { ...truth, orders, positions };
  };

const position = (change: (perp: Row, context: LieContext) => Row | null) =>
  inRows('positions', (row, context) => ({ ...row, perp: row['perp'] == null ? null : change(row['perp'] as Row, context) }));

/** A product without the digits that binary fractions add. */
const times = (value: unknown, factor: number): number => Number((Number(value) * factor).toPrecision(12));

const margins =
  (change: (margins: Row) => Row) =>
  (truth: JsonReply): JsonReply => ({ ...truth, margins: change(truth['margins'] as Row) });

const zeros = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, name === 'bankruptcy' ? value : 0]));

/** The smallest price step that every market has. */
const TENTH = 10;
const priceTimes = (value: unknown, factor: number): number => Math.max(1, Math.round(Number(value) * factor * TENTH)) / TENTH;

/** Larger than all trade ids of a run. */
const ID_SHIFT = 1_000_000_000;

const seconds = ({ amount }: LieContext, sign: 1 | -1): ((reading: number) => number) => {
  return (reading) => reading + sign * amount * (reading >= 1e12 ? 1_000 : 1);
};
const time =
  (sign: 1 | -1) =>
  ({ value }: JsonReply, context: LieContext): JsonReply => ({ value: seconds(context, sign)(Number(value)) });
/** Seconds by which a lie about the time is off. */
const TIME_OFFSETS = [3, 30, 61, 63, 120, 3_600];

const resting = { path: 'account', at: ACCOUNT, about: 'resting' } as const;
const ofPosition = { path: 'account', at: ACCOUNT, about: 'position' } as const;
const ofValue = { path: 'account', at: ACCOUNT, about: 'value' } as const;
const ofFills = { path: 'trades', at: OWN_TRADES } as const;
const ofNumbers = { path: 'account', at: ACCOUNT, about: 'numbers' } as const;
const ofSchema = { path: 'info', at: /^\/schema\.proto$/, about: 'schema' } as const;

const numbers =
  (change: (number: bigint, first: bigint) => bigint) =>
  (truth: JsonReply, { first }: LieContext): JsonReply => ({
    ...truth,
    updateId: String(change(BigInt(String(truth['updateId'])), BigInt(String(first['updateId'])))),
  });

/** Replaces the line of the published schema that has the reduce-only mark. */
const withMarkLine =
  (line: string) =>
  ({ value }: JsonReply): JsonReply => ({ value: String(value).replace('bool is_reduce_only = 36;', line) });

export const LIES = {
  noOrders: { ...resting, apply: without(ALL, { counted: false }) },
  halfOfOrders: { ...resting, apply: without(EVERY_OTHER, { counted: false }) },
  noAsks: { ...resting, apply: without(isOf('ask'), { counted: false }) },
  noBids: { ...resting, apply: without(isOf('bid'), { counted: false }) },
  noOrdersCounted: { ...resting, isCounted: true, apply: without(ALL, { counted: true }) },
  halfOfOrdersCounted: { ...resting, isCounted: true, apply: without(EVERY_OTHER, { counted: true }) },
  noAsksCounted: { ...resting, isCounted: true, apply: without(isOf('ask'), { counted: true }) },
  noBidsCounted: { ...resting, isCounted: true, apply: without(isOf('bid'), { counted: true }) },
  wrongCounts: {
    ...resting,
    amounts: [-1, 1],
    apply: inRows('positions', (row, { amount }) => ({ ...row, openOrders: Math.max(0, Number(row['openOrders']) + amount) })),
  },
  historyEmpty: { path: 'account', at: ORDERS, about: 'history', apply: (truth) => ({ ...truth, items: [], nextStartInclusive: null }) },
  historyCancelled: {
    path: 'account',
    at: ORDERS,
    about: 'history',
    apply: inRows('items', (row) => ({ ...row, finalizationReason: row['finalizationReason'] ?? 'Canceled' })),
  },
  historyOpen: { path: 'account', at: ORDERS, about: 'history', apply: inRows('items', (row) => ({ ...row, finalizationReason: null })) },
  positionReversed: { ...ofPosition, apply: position((perp) => ({ ...perp, isLong: perp['isLong'] !== true })) },
  positionFlat: { ...ofPosition, apply: position(() => null) },
  positionOld: { ...ofPosition, apply: (truth, { first }) => ({ ...truth, positions: withCountsOf(truth, first) }) },
  positionTimes: {
    ...ofPosition,
    amounts: [2, 3, 10],
    apply: position((perp, { amount }) => ({ ...perp, baseSize: times(perp['baseSize'], amount) })),
  },
  balancesZero: { ...ofValue, apply: inRows('balances', (row) => ({ ...row, amount: 0 })) },
  balancesTimes: {
    ...ofValue,
    amounts: [0.1, 0.5, 0.9, 3],
    apply: inRows('balances', (row, { amount }) => ({ ...row, amount: times(row['amount'], amount) })),
  },
  marginsZero: { ...ofValue, apply: margins(zeros) },
  bankrupt: { ...ofValue, apply: margins((shown) => ({ ...shown, bankruptcy: true })) },
  marginsShort: { ...ofValue, apply: margins((shown) => ({ ...shown, mf: 1, mmf: Math.max(2, Number(shown['mmf'])) })) },
  /** Everything but the update number. */
  strangersAccount: {
    path: 'account',
    at: ACCOUNT,
    about: 'position',
    apply: (truth, { stranger }) => ({ ...stranger().account, updateId: truth['updateId'] }),
  },
  numbersAnew: { ...ofNumbers, apply: numbers((number, first) => number - first + 1n) },
  numbersLeap: { ...ofNumbers, apply: numbers((number) => number + 2n ** 60n) },
  schemaWithoutMark: { ...ofSchema, apply: withMarkLine('') },
  schemaOtherField: { ...ofSchema, apply: withMarkLine('uint32 slippage_bps = 36;') },
  timeAhead: { path: 'time', at: TIME, about: 'time', amounts: TIME_OFFSETS, apply: time(1) },
  timeBehind: { path: 'time', at: TIME, about: 'time', amounts: TIME_OFFSETS, apply: time(-1) },
  tradePrices: {
    ...ofFills,
    about: 'value',
    amounts: [1e-4, 0.5, 100],
    apply: inRows('items', (row, { amount }) => ({ ...row, price: priceTimes(row['price'], amount) })),
  },
  tradeFees: {
    ...ofFills,
    about: 'value',
    amounts: [90_000],
    apply: inRows('items', (row, { amount }) => ({ ...row, makerFee: amount, takerFee: amount })),
  },
  tradeRoles: {
    ...ofFills,
    about: 'fills',
    apply: inRows('items', (row) => ({ ...row, makerId: row['takerId'], takerId: row['makerId'] })),
  },
  tradesOfStranger: {
    ...ofFills,
    about: 'fills',
    apply: inRows('items', (row, { stranger }) => ({ ...row, makerId: stranger().id, takerId: stranger().id })),
  },
  tradesTwice: {
    ...ofFills,
    about: 'fills',
    apply: (truth) => ({
      ...truth,
      items: rowsIn(truth, 'items').flatMap((row) => [row, { ...row, tradeId: ID_SHIFT + Number(row['tradeId']) }]),
    }),
  },
} as const satisfies Readonly<Record<string, LieTerms>>;

export type LieName = keyof typeof LIES;
export const LIE_NAMES = Object.keys(LIES) as readonly LieName[];
/** The lies that are drawn one by one, apart from the others. */
export const APART_NAMES = LIE_NAMES.filter((name) => LIES[name].about === 'numbers' || LIES[name].about === 'schema');
/** The terms of a lie by the name that a fault has. */
export const lieNamed = (name: string | undefined): LieTerms | undefined => LIES[name as LieName];

/** The positions as they were, with the counts of orders that are true now. */
function withCountsOf(truth: JsonReply, first: JsonReply): readonly Row[] {
  const now = new Map(rowsIn(truth, 'positions').map((row) => [String(row['marketId']), row]));
  return rowsIn(first, 'positions').map((row) => ({
    ...row,
    openOrders: now.get(String(row['marketId']))?.['openOrders'] ?? row['openOrders'],
  }));
}
