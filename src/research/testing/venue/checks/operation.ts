// Checks 46 to 49 of an adapter: keys, which requests are reads, and the end of a connection.
import { isRead } from '../../../../base/transport/transport.ts';
import { cancelOf, ensure, errorText, VenueBench, type VenueSubject } from '../bench.ts';
import type { FakeLine } from '../line.ts';
import type { VenueCheck } from '../venue-check.ts';

const opened = (subject: VenueSubject): Promise<VenueBench> => new VenueBench(subject).open();
/** Words of a key file that are shorter than this are names, not secrets. */
const SECRET = 8;
/** The streams of events of an adapter: of its feed and of its gateway. */
const STREAMS = 2;

export const OPERATION_CHECKS: readonly VenueCheck[] = [
  {
    number: 46,
    name: 'secrets',
    prevents: 'the key stands in a log, a journal or a message, and others trade with it',
    needs: ['key'],
    async run(subject) {
      const bench = await opened(subject);
      const secrets = (subject.fake.key ?? '').split(/[\s"',:[\]{}]+/).filter((word) => word.length >= SECRET);
      const texts = bench.client
        .prepare([bench.order()], { latestSecond: Math.ceil(bench.clock.now() / 1_000), marketOf: () => bench.market })
        .map((prepared) => JSON.stringify(prepared.kind === 'ready' ? prepared.record : prepared.reason));
      await bench.rest();
      for (const mishap of ['silence', { status: 500, contentType: 'text/html', body: new Uint8Array() }] as const) {
        bench.clientLine.mishap = () => mishap;
        texts.push(errorText(await bench.failure(() => bench.client.account([bench.market]))));
      }
      texts.push(...[bench.line, bench.clientLine].flatMap(({ requests }) => requests.map(({ path }) => path)));
      texts.push(...bench.recorder.of('healthSeen').map(({ reason }) => reason), subject.venue.keyFile?.textOf(subject.key) ?? '');
      const shown = texts.find((text) => secrets.some((secret) => text.includes(secret)));
      ensure(
        shown === undefined,
        'a word of the key file stands in a path, a message, or the journal: put it into a header, or sign with it',
      );
      return `${secrets.length} ${secrets.length === 1 ? 'word' : 'words'} of the key file are in no path, no message and no line of the journal`;
    },
  },
  {
    number: 47,
    name: 'wrong key',
    prevents: 'with a wrong key the account looks empty, and the run starts',
    needs: ['key'],
    async run(subject) {
      const { wrongKey } = subject.fake;
      const { keyFile } = subject.venue;
      ensure(wrongKey !== undefined, 'the fake has no wrongKey: the text of a key file whose signature the exchange refuses');
      const bench = await opened(subject);
      ensure(keyFile?.parse('') === undefined, 'an empty key file is taken for a key');
      const key = keyFile?.parse(wrongKey);
      ensure(key !== undefined, 'wrongKey is no key at all: the exchange must refuse its signature');
      const stranger = bench.clientOver(bench.clientLine, { key });
      const failure = await bench.failure(() => stranger.account([bench.market]));
      ensure(failure !== undefined, 'with a key that the exchange refuses, an account was read');
      return `the account cannot be read with a wrong key: ${errorText(failure)}`;
    },
  },
  {
    number: 48,
    name: 'reads and actions',
    prevents: 'a paper run sends something that acts, or an order is sent on a connection on which requests are repeated',
    async run(subject) {
      const bench = await new VenueBench(subject).open({ connected: false });
      const line: FakeLine = bench.clientLine; // it has the single reads; `bench.line` has what the connected adapter sends
      const stranger = bench.clientOver(line, { key: undefined });
      line.requests.length = 0;
      await bench.wait(stranger.listing());
      await bench.wait(stranger.book(bench.market));
      await bench.wait(stranger.live([bench.market]));
      await bench.pages(stranger.trades(bench.market));
      await bench.account();
      await bench.fills();
      const acting = line.requests.find((request) => !isRead(request));
      ensure(acting === undefined, `${acting?.method} ${acting?.path} is sent for a read: list its path in "reads"`);
      await bench.connect();
      const { order, listed } = await bench.rest();
      const sent = bench.line.requests.filter((request) => !isRead(request)).length;
      ensure(sent > 0, 'an order is sent as a read: its path must not be listed in "reads"');
      const from = bench.submit(cancelOf(order, listed.orderId));
      await bench.recorder.first('cancelAnswered', { from });
      ensure(
        bench.line.requests.filter((request) => !isRead(request)).length > sent,
        'a cancel is sent as a read: its path must not be listed in "reads"',
      );
      return 'public data needs no key; reads are sent as reads, orders and cancels as actions';
    },
  },
  {
    number: 49,
    name: 'end',
    prevents: 'a run cannot be stopped: its process keeps a timer or a socket',
    async run(subject) {
      const bench = await opened(subject);
      await bench.rest();
      const { recorder } = bench;
      await bench.wait(recorder.close());
      await bench.pass(1_000);
      ensure(recorder.ended === STREAMS, `after its close ${STREAMS - recorder.ended} of the ${STREAMS} streams of events did not end`);
      ensure(bench.line.openSockets === 0, 'after its close a socket is open');
      const count = bench.line.requests.length;
      await bench.pass(30_000);
      ensure(bench.line.requests.length === count, `after its close ${bench.line.requests.length - count} requests were sent`);
      return 'all events end, no socket is open, and nothing more is sent';
    },
  },
];
