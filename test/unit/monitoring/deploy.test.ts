// The files of config/deploy: every metric in a rule or the dashboard exists, and the tools that read the files accept them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VirtualClock } from '../../../src/base/clock.ts';
import { metricsOf } from '../../../src/program/monitoring/metrics/metrics.ts';
import { runProgram } from '../../../src/program/program.ts';
import { FakeHost } from '../cli/fake-host.ts';

const FOLDER = 'config/deploy';
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

interface Board {
  readonly panels: readonly {
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly w: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const expressions = (): readonly string[] => [
  ...(JSON.parse(textOf('grafana.json')) as Board).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...(parse(textOf('prometheus-alerts.yaml')) as Rules).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
];

let metrics: string;
beforeAll(async () => {
  metrics = await metricsOf({ clock: new VirtualClock(0), watch: () => undefined }).text();
});

test.each(expressions())('%s names existing metrics', (expression) => {
  const named = [...expression.matchAll(/tickwright_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('the dashboard is complete', () => {
  const { panels } = JSON.parse(textOf('grafana.json')) as Board;
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});

describe.each(['bot', 'prometheus', 'grafana'])('compose', (service) => {
  test(`${service} mounts existing files`, () => {
    const { services } = parse(textOf('compose.yaml')) as { services: Record<string, { volumes: readonly string[] }> };
    const files = services[service]?.volumes.flatMap((volume) => (volume.startsWith('./') ? [volume.split(':')[0]!.slice(2)] : []));
    expect(files?.filter((file) => !readdirSync(FOLDER).includes(file))).toEqual([]);
  });
});

test('the container and the unit start the program with valid options', async () => {
  const host = new FakeHost();
  await runProgram(['run', '--help'], host);
  const help = host.stdout.text;
  const typed = [textOf('Dockerfile'), textOf('compose.yaml'), textOf('tickwright.service')]
    .join('\n')
    .matchAll(/--(strategy|state|metrics|config|exchange)\b/g);
  for (const [option] of typed) expect(help).toContain(option);
});

test('the rules that the configuration of Prometheus names are beside it, here and in the container', () => {
  const { rule_files: named } = parse(textOf('prometheus.yaml')) as { rule_files: readonly string[] };
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((file) => !existsSync(join(FOLDER, file)))).toEqual([]);
  for (const file of named) expect(textOf('compose.yaml')).toContain(`./${file}:/etc/prometheus/${file}:ro`);
});

test.each(readdirSync(FOLDER).filter((name) => /\.(yaml|json)$/.test(name)))('%s can be parsed', (name) => {
  expect(parse(textOf(name))).toBeTypeOf('object'); // YAML includes JSON
});

test.skipIf(!has('promtool'))('promtool accepts the metrics, the rules and the configuration (skipped without promtool)', () => {
  execFileSync('promtool', ['check', 'config', join(FOLDER, 'prometheus.yaml')]);
  execFileSync('promtool', ['check', 'metrics'], { input: metrics });
});

test.skipIf(!has('systemd-analyze'))('systemd accepts the unit (skipped without systemd-analyze)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unit-'));
  writeFileSync(join(folder, 'tickwright.service'), textOf('tickwright.service').replace('/usr/bin/node', process.execPath));
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', join(folder, 'tickwright.service')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

/** The system calls in a set of systemd, such as @system-service, including nested sets. */
function callsOf(set: string): readonly string[] {
  const listed = spawnSync('systemd-analyze', ['syscall-filter', set], { encoding: 'utf8' }).stdout.split('\n').slice(1);
  const names = listed.map((line) => line.trim()).filter((name) => name !== '' && !name.startsWith('#'));
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

test.skipIf(!has('systemd-analyze') || !has('strace'))(
  'the unit allows what Node calls (skipped without systemd-analyze and strace)',
  () => {
    const filters = [...textOf('tickwright.service').matchAll(/^SystemCallFilter=(~?)(.*)$/gm)];
    const allowed = new Set(callsOf('@default'));
    for (const [, isRefusal, sets = ''] of filters)
      for (const call of sets.split(' ').flatMap(callsOf)) {
        if (isRefusal === '') allowed.add(call);
        else allowed.delete(call);
      }
    const file = join(mkdtempSync(join(tmpdir(), 'calls-')), 'calls');
    execFileSync('strace', ['-f', '-o', file, process.execPath, '-e', 'process.stdout.write("")']);
    const called = new Set([...readFileSync(file, 'utf8').matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = '']) => name));
    expect(called.has('execve')).toBe(true);
    expect([...called].filter((call) => !allowed.has(call))).toEqual([]);
  },
);

test('the build of the container gets the files that it names, and no state, key or package of this machine', () => {
  const lines = textOf('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const included = lines.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(included.filter((path) => !existsSync(path))).toEqual([]);
  expect(included).not.toContain('node_modules');
});

test.skipIf(!has('hadolint'))('hadolint accepts the Dockerfile (skipped without hadolint)', () => {
  expect(spawnSync('hadolint', [join(FOLDER, 'Dockerfile')], { encoding: 'utf8' }).stdout).toBe('');
});
