// Module hooks: what a strategy imports from "tickwright" is the program that runs it, wherever the strategy's file lies.
let exported = {};

/** `entries` are the URLs of this program's own modules by the names that authors import. */
export function initialize({ entries }) {
  exported = entries;
}

export async function resolve(specifier, context, next) {
  const own = exported[specifier];
  if (own !== undefined) return next(own, context);
  const found = await next(specifier, context);
  const isAuthors = found.url.startsWith('file:') && !found.url.includes('/node_modules/');
  // What a file imports is loaded again with it.
  const version = isAuthors && !found.url.includes('?') ? (/\?version=\w+$/.exec(context.parentURL ?? '')?.[0] ?? '') : '';
  const versioned = { ...found, url: found.url + version };
  // TypeScript is always an ES module here, whatever the nearest package.json says.
  return isAuthors && /\.m?ts(\?.*)?$/.test(versioned.url) ? { ...versioned, format: 'module' } : versioned;
}
