// The foreign process by hand: node --import ./src/base/load-typescript.mjs test/foreign/local/main.ts --port 4000 --off textFlags --off placeEchoes
import { parseArgs } from 'node:util';
import { startForeignProcess } from './process.ts';
import { AS_DOCUMENTED, ROW_NAMES, type RowName } from './rows.ts';

// The real process listens on port 4000 by default, the document's on 3000: here 0 chooses a free port. --off ROW and --on ROW go several times;
// --documented has all rows off but those that are named. Ctrl-C prints what it was asked for, and how it stands.
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
  rows: { ...(values.documented ? AS_DOCUMENTED : {}), ...switched(values.on, true), ...switched(values.off, false) },
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
  const asked = [...requests].map(([request, count]) => `${count} × ${request}`);
  const standing = `open orders ${orders.length}${held.join('')}`;
  process.stdout.write([...outcomes, ...asked, standing, ''].join('\n'));
  void foreign.close().then(() => process.exit(0));
});

function switched(names: readonly string[], on: boolean): Partial<Record<RowName, boolean>> {
  return Object.fromEntries(names.map((name) => [rowNamed(name), on]));
}

function rowNamed(name: string): RowName {
  const known = ROW_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw new Error(`${name} is no row: known are ${ROW_NAMES.join(', ')}`);
  return known;
}

function counted(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
