// The web page of a run, on this machine alone. Folders and files:
// contract.ts             what the page and its server exchange
// feed.ts, status.ts, views.ts  turns to the events and the state of the page
// stream.ts               the events for the pages that are open; a slow one is skipped
// api.ts, access.ts       the addresses; the link that is used once, and the cookie
// open-pages.ts           all pages of this user on this machine, and further links for them
// assets.ts, bundle.mjs   the files of the page; browser/ holds their source
import type { Clock } from '../../base/clock.ts';
import { type Served, serve } from '../../server/http.ts';
import { Access } from './access.ts';
import { type PageSources, pageApi } from './api.ts';
import { pageAssets } from './assets.ts';
import { listPage } from './open-pages.ts';

export interface PageOptions {
  readonly clock: Clock;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly sources: PageSources;
  /** Lists the page for `ui link`: the folder of all pages, and what this one shows. */
  readonly listed: { readonly folder: string; readonly shows: string; readonly pid: number };
  /** Called with what the server threw. */
  readonly onBug: (thrown: unknown) => void;
}

export interface Page extends Served {
  /** The address with the secret of the link, which can be used once. */
  readonly link: string;
}

/** The browser runs no script but ours, sends nothing to another place, and shows the page in no frame. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Rejects with a `UserError` if the port cannot be used. */
export async function openPage({ clock, port, sources, listed: { folder, ...shown }, onBug }: PageOptions): Promise<Page> {
  const own = { port };
  let open: ReturnType<typeof listPage> | undefined;
  const access = new Access({ clock, port: () => own.port, newLink: () => open?.newLink() });
  const handler = pageApi({ access, sources, assets: pageAssets() });
  const served = await serve(handler, { port, host: '127.0.0.1', onBug, headers: HEADERS, exactHost: true });
  own.port = Number(new URL(served.url).port);
  open = listPage(folder, { port: own.port, ...shown });
  const close = async (): Promise<void> => {
    open?.close();
    await served.close();
  };
  return { ...served, close, link: `${served.url}/#${access.newSecret()}` };
}
