// Starts the foreign exchange from the command line: node --import ./src/base/load-typescript.mjs test/foreign/main.ts --numbering live --big-ids --behind 90
import { parseArgs } from 'node:util';
import { type ForeignExchange, startForeignExchange } from './exchange.ts';
import { BAD_DATA, type BadData, NO_FAULTS } from './faults.ts';

// In seconds: --behind (engine time behind the wall clock), --session-seconds, --evict-every, --bad-after, --bad-for. Repeatable: --user BASE58 (its
// accounts exist from the start), --bad KIND (a name of BAD_DATA in faults.ts). --no-free-margin and --bad start and end together. Ctrl-C prints a summary.
const { values } = parseArgs({
  options: {
    numbering: { type: 'string', default: 'document' },
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: 'foreign' },
    faucet: { type: 'string', default: '100000' },
    user: { type: 'string', multiple: true, default: [] },
    'account-ids': { type: 'string', default: '4' },
    'no-extras': { type: 'boolean', default: false },
    'bare-results': { type: 'boolean', default: false },
    'big-ids': { type: 'boolean', default: false },
    'ids-as-strings': { type: 'boolean', default: false },
    'no-echo': { type: 'boolean', default: false },
    behind: { type: 'string', default: '0' },
    'session-seconds': { type: 'string' },
    'evict-every': { type: 'string' },
    'lose-replies': { type: 'string', default: '0' },
    'no-free-margin': { type: 'boolean', default: false },
    bad: { type: 'string', multiple: true, default: [] },
    'bad-after': { type: 'string', default: '0' },
    'bad-for': { type: 'string' },
  },
});

const exchange = await startForeignExchange({
  numbering: values.numbering === 'live' ? 'live' : 'document',
  extras: !values['no-extras'],
  bareResults: values['bare-results'],
  bigIds: values['big-ids'],
  accountIds: values['account-ids'].split(',').map(Number),
  users: values.user,
  faucet: Number(values.faucet),
  seed: values.seed,
  port: Number(values.port),
  settings: {
    timeOffsetSeconds: -Number(values.behind),
    sessionSeconds: values['session-seconds'] === undefined ? undefined : Number(values['session-seconds']),
    idsAsStrings: values['ids-as-strings'],
    echoClientOrderId: !values['no-echo'],
    loseReplies: Number(values['lose-replies']),
  },
});
process.stdout.write(`${exchange.url}\n`);

const bad = { badData: values.bad.map(badDataNamed), noFreeMargin: values['no-free-margin'] };
const seconds = (text: string): number => Number(text) * 1_000;
setTimeout(() => exchange.control.set(bad), seconds(values['bad-after']));
if (values['bad-for'] !== undefined) {
  const healed = { badData: NO_FAULTS.badData, noFreeMargin: NO_FAULTS.noFreeMargin };
  setTimeout(() => exchange.control.set(healed), seconds(values['bad-after']) + seconds(values['bad-for']));
}
if (values['evict-every'] !== undefined) setInterval(() => exchange.control.evictSessions(), seconds(values['evict-every']));

process.once('SIGINT', () => {
  process.stdout.write(summary(exchange));
  void exchange.close().then(() => process.exit(0));
});

function badDataNamed(name: string): BadData {
  const known = BAD_DATA.find((candidate) => candidate === name);
  if (known === undefined) throw new Error(`--bad ${name}: known are ${BAD_DATA.join(', ')}`);
  return known;
}

/** Counts of actions by kind and outcome, then open orders, positions and counts of requests. */
function summary({ state }: ForeignExchange): string {
  const counts = new Map<string, number>();
  for (const { kind, outcome, signature, account, replyLost } of state.actions) {
    const line = `${kind} ${outcome}, signature ${signature}, account ${account ?? '-'}${replyLost ? ', reply lost' : ''}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const accounts = new Set(state.actions.flatMap(({ account }) => account ?? []));
  const positions = [...accounts].flatMap((account) =>
    [0, 1].map((market) => `  account ${account} market ${market}: ${state.position({ account, market })}`),
  );
  const fills = state.trades.filter((trade) => accounts.has(trade.takerId) || accounts.has(trade.makerId)).length;
  const requests = [...state.requests].map(([request, count]) => `  ${count} × ${request}`);
  const outcomes = [...counts].map(([line, count]) => `  ${count} × ${line}`);
  return ['actions', ...outcomes, `open orders ${state.orders.length}, fills ${fills}`, ...positions, 'requests', ...requests, ''].join(
    '\n',
  );
}
