// Shortens source maps to one mapping a line: a stack trace and a debugger need the line, and the columns are most of what a map weighs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Shortens all maps below a folder. */
export function shortenMaps(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js.map')) continue;
    const file = join(folder, name);
    const { version, sources, mappings } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ version, sources, mappings: lineMappings(mappings) }));
  }
}

/** The first mapping of each line, at its beginning. Fields are differences: of the source, its line and its column to those before. */
export function lineMappings(mappings) {
  const [read, written] = [[0, 0, 0], [0, 0, 0]];
  return mappings
    .split(';')
    .map((line) => {
      let first;
      for (const segment of line.split(',')) {
        const [, ...source] = decoded(segment);
        for (const index of read.keys()) read[index] += source[index] ?? 0;
        if (source.length >= read.length) first ??= [...read];
      }
      if (first === undefined) return '';
      const differences = first.map((value, index) => value - written[index]);
      written.splice(0, written.length, ...first);
      return [0, ...differences].map(encoded).join('');
    })
    .join(';');
}

function decoded(segment) {
  const values = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    values.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return values;
}

function encoded(value) {
  let [rest, text] = [value < 0 ? (-value << 1) | 1 : value << 1, ''];
  do {
    const bits = rest & 31;
    rest >>= 5;
    text += DIGITS[rest > 0 ? bits | 32 : bits];
  } while (rest > 0);
  return text;
}
