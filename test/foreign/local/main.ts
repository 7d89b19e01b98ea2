// Starts the foreign local process from the command line: node --import ./src/base/load-typescript.mjs test/foreign/local/main.ts --port 4000 --off textFlags --off placeEchoes
import { parseArgs } from 'node:util';
import { AS_DOCUMENTED, DIFFERENCE_NAMES, type DifferenceName } from './differences.ts';
import { startForeignProcess } from './process.ts';

// The real process listens on port 4000 by default, the documented one on 3000; here 0 selects a free port. --off NAME and --on NAME switch
// differences and are repeatable; --documented switches all off except those named. Ctrl-C prints commands, requests, open orders and positions.
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: 'foreign' },
    funds: { type: 'string', default: '100000' },
    documented: { type: 'boolean', default: false },
    on: { type: 'string', multiple: true, default: [] },
    off: { type: 'string', multiple: true, default: [] },
    'big-ids': { type: 'boolean', default: false },
  },
});

const foreign = await startForeignProcess({
  differences: { ...(values.documented ? AS_DOCUMENTED : {}), ...switched(values.on, true), ...switched(values.off, false) },
  funds: Number(values.funds),
  bigIds: values['big-ids'],
  seed: values.seed,
  port: Number(values.port),
});
process.stdout.write(`${foreign.url}\n`);

process.once('SIGINT', () => {
  const { requests, commands, orders } = foreign.state;
  const held = ['BTC-PERP', 'ETH-PERP'].map((market) => `, ${market} ${foreign.state.position(market)}`);
  const outcomes = [...counted(commands.map(({ kind, outcome }) => `${kind} ${outcome}`))].map(([line, count]) => `${count} × ${line}`);
  const requestLines = [...requests].map(([request, count]) => `${count} × ${request}`);
  const standing = `open orders ${orders.length}${held.join('')}`;
  process.stdout.write([...outcomes, ...requestLines, standing, ''].join('\n'));
  void foreign.close().then(() => process.exit(0));
});

function switched(names: readonly string[], on: boolean): Partial<Record<DifferenceName, boolean>> {
  return Object.fromEntries(names.map((name) => [differenceNamed(name), on]));
}

function differenceNamed(name: string): DifferenceName {
  const known = DIFFERENCE_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw new Error(`${name} is no difference: known are ${DIFFERENCE_NAMES.join(', ')}`);
  return known;
}

function counted(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
