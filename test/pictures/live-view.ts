// The live view of a run on virtual time as an SVG. The same seed gives the same picture, so a test can detect that the one in the documents is out of date.
import { VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import type { Line } from '../../src/bot/accounting/lines.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { lineWords } from '../../src/program/output/words.ts';
import { frameRows } from '../../src/program/terminal/frame.ts';
import type { StyledRow, Tone } from '../../src/program/terminal/styled-rows.ts';
import type { EventLine } from '../../src/program/terminal/view-model.ts';
import { viewModelOf } from '../../src/program/terminal/view-model-of-run.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';
import { embeddedOn, latencies, START, startBot } from '../replay/virtual-run.ts';
import { watchOf } from '../unit/monitoring/test-page.ts';

const SEED = 'picture';
const SECONDS = 60;
const SIZE = { width: 100, height: 32 };
const KEY = new Uint8Array(32).fill(7);

/** The grid after some minutes on the embedded exchange. */
export async function liveView(): Promise<string> {
  const { strategy } = await loadStrategy('grid');
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const embedded = await embeddedOn(clock, { seed: SEED });
  const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(SEED) });
  const state = { ...memoryState(), sessionKey: () => KEY };
  const bot = { transport, clock, seed: SEED, strategy, state, schema, wallet: walletOf(KEY.slice()), exchange: 'embedded' };
  const { venue, trading } = await driven(clock, startBot(bot));
  const latest: Record<Line['kind'], EventLine[]> = { order: [], fill: [], correction: [], unbooked: [], finding: [], alarm: [], log: [] };
  const { world, turns } = trading.run;
  const watch = watchOf([...world.markets.values()], { run: 'grid-embedded', seed: SEED });
  turns.subscribe((turn) => watch.add(turn));
  trading.lines.subscribe((line) => latest[line.kind].push({ at: line.at, text: lineWords(line) }));
  await clock.drive(START + SECONDS * 1_000, () => false);
  const picture = viewModelOf(watch, {
    title: { strategy: 'grid', exchange: 'embedded', run: 'grid-embedded' },
    now: clock.now(),
    extras: {},
    findings: trading.now().findings,
    latest: { alarms: latest.alarm, fills: latest.fill, changes: latest.order, logs: latest.log },
  });
  const drawn = svgOf(frameRows(picture, SIZE));
  trading.run.stop('the picture is taken');
  await driven(clock, trading.run.done);
  await venue.gateway.close();
  await embedded.close();
  return drawn;
}

const COLOURS: Readonly<Record<Tone, string>> = {
  plain: '#d7dae0',
  dim: '#7f8794',
  bold: '#ffffff',
  good: '#5fbf77',
  warn: '#d9a441',
  bad: '#e0655f',
};
/** Pixels of a character of the font below. */
const [COLUMN, LINE, MARGIN] = [8.4, 18, 14];

function svgOf(rows: readonly StyledRow[]): string {
  const [width, height] = [SIZE.width * COLUMN + 2 * MARGIN, rows.length * LINE + 2 * MARGIN];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#16181d"/>`,
    ...rows.map(rowSvg).filter((line) => line !== ''),
    '</svg>\n',
  ].join('\n');
}

/** Each piece at its column, whatever width the font of the reader has. */
function rowSvg(row: StyledRow, index: number): string {
  let column = 0;
  const pieces = row.flatMap(({ text, tone }) => {
    const at = MARGIN + column * COLUMN;
    column += text.length;
    if (text.trim() === '') return [];
    const weight = tone === 'bold' ? ' font-weight="bold"' : '';
    const fit = `textLength="${(text.length * COLUMN).toFixed(1)}"`;
    return [`<tspan x="${at.toFixed(1)}" fill="${COLOURS[tone]}"${weight} ${fit}>${escaped(text)}</tspan>`];
  });
  return pieces.length === 0 ? '' : `<text y="${MARGIN + (index + 0.75) * LINE}" xml:space="preserve">${pieces.join('')}</text>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
