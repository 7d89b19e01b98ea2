// Measures, each against a plain way of doing the same in the same run, and prints a table: `node --import tsx bench/main.ts [name…]`.
import type { Bench, Row } from './measure.ts';
import { sign } from './sign.ts';
import { turn } from './turn.ts';

const BENCHES: Readonly<Record<string, Bench>> = { sign, turn };

const rows: Row[] = [];
for (const name of process.argv.slice(2)) rows.push(...(await BENCHES[name]!()));
console.table(rows);
