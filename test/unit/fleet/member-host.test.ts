// A run of a fleet as a process of its own: its lines have its name, and signals and errors reach it.
import { expect, test } from 'vitest';
import { memberHost } from '../../../src/program/commands/fleet/member-host.ts';
import { say } from '../../../src/program/host.ts';
import { FakeHost } from '../cli/fake-host.ts';

test('text lines have the name of the run, JSON lines the field member, and a line that comes in parts is one line', async () => {
  const host = new FakeHost();
  const member = memberHost('wide', host);
  say(member.stdout, 'first\nsecond');
  say(member.stdout, '{"kind":"order","run":"x"}');
  member.stdout.write('a par');
  member.stdout.write('t\n');
  say(member.stderr, 'warning: late');
  for (const output of [member.stdout, member.stderr]) await new Promise((resolve) => output.write('', resolve));
  expect(host.stdout.lines).toEqual(['[wide] first', '[wide] second', '{"member":"wide","kind":"order","run":"x"}', '[wide] a part']);
  expect(host.stderr.lines).toEqual(['[wide] warning: late']);
});

test('only the fleet answers systemd', () => {
  const { env } = memberHost('wide', new FakeHost({ env: { NOTIFY_SOCKET: '/run/x', HOME: '/h' } }));
  expect(env).toMatchObject({ HOME: '/h' });
  expect(env['NOTIFY_SOCKET']).toBeUndefined();
});

test('signals and errors reach the run; a run that requests the end of the process does not end it', async () => {
  const host = new FakeHost();
  const member = memberHost('wide', host);
  const seen: unknown[] = [];
  member.onSignal(({ name }) => seen.push(name));
  member.uncaught('early');
  member.onUncaught((thrown) => seen.push(thrown));
  member.stdout.once('error', () => seen.push('closed'));
  member.signal({ name: 'SIGINT', again: false });
  member.uncaught('mistake');
  member.closed(new Error('EPIPE'));
  expect(seen).toEqual(['early', 'SIGINT', 'mistake', 'closed']);
  member.exitNow(1);
  await member.left;
  expect(host.exits).toEqual([]);
});
