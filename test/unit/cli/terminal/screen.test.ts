// The alternate screen of a terminal: what is written to it, and that it is closed.
import { expect, test } from 'vitest';
import { Screen } from '../../../../src/program/terminal/screen.ts';
import { FakeHost } from '../fake-host.ts';

const [ENTER, LEAVE] = ['\x1b[?1049h\x1b[?25l', '\x1b[?25h\x1b[?1049l'];

function entered(): { host: FakeHost; screen: Screen; written: () => string } {
  const host = new FakeHost({ isTTY: true });
  const screen = new Screen(host);
  screen.enter();
  return {
    host,
    screen,
    written() {
      const { text } = host.stdout;
      host.stdout.text = '';
      return text;
    },
  };
}

test('the same text is drawn once; another text is drawn over it', () => {
  const { screen, written } = entered();
  expect(written()).toBe(ENTER);
  screen.draw('a\nb');
  expect(written()).toBe('\x1b[H\x1b[2Ja\x1b[K\r\nb\x1b[K\x1b[J');
  screen.draw('a\nb');
  expect(written()).toBe('');
  screen.draw('c');
  expect(written()).toBe('\x1b[Hc\x1b[K\x1b[J');
});

test('a resize draws everything again, at the new size', () => {
  const { host, screen, written } = entered();
  screen.draw('a');
  written();
  Object.assign(host.stdout, { columns: 60, rows: 20 });
  host.stdout.emit('resize');
  expect(screen.size).toEqual({ width: 59, height: 20 });
  screen.draw('a');
  expect(written()).toContain('\x1b[2J');
});

test('a terminal of unknown size is taken as a usual one', () => {
  const { host, screen } = entered();
  Object.assign(host.stdout, { columns: 0, rows: 0 });
  expect(screen.size).toEqual({ width: 79, height: 24 });
});

test('it is closed once, and nothing is drawn afterwards', () => {
  const { screen, written } = entered();
  screen.leave();
  screen.leave();
  screen.draw('late');
  expect(written()).toBe(`${ENTER}${LEAVE}`);
});

test('it is closed if the process ends before', () => {
  const { host, written } = entered();
  host.exit();
  expect(written()).toBe(`${ENTER}${LEAVE}`);
});
