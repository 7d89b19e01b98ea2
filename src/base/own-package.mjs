// Module hooks: what a strategy imports from "tickwright" is the program that runs it, wherever the strategy's file lies.
let exported = {};

/** `entries` are the URLs of this program's own modules by the names that authors import. */
export function initialize({ entries }) {
  exported = entries;
}

/** The hook for `module.register`, which old versions of Node have only. */
export async function resolve(specifier, context, next) {
  const own = exported[specifier];
  return own === undefined ? versioned(await next(specifier, context), context) : next(own, context);
}

/** The hook for `module.registerHooks`. */
export function resolveSync(specifier, context, next) {
  const own = exported[specifier];
  return own === undefined ? versioned(next(specifier, context), context) : next(own, context);
}

/** What tsx adds to the address of a file that it would load as CommonJS: such a file would get a second copy of this program. */
const AS_COMMONJS = /(%3F|\?)tsx-commonjs-export-preparse=1.*$/;

function versioned(resolved, context) {
  const found = { ...resolved, url: resolved.url.replace(AS_COMMONJS, '') };
  const isAuthors = found.url.startsWith('file:') && !found.url.includes('/node_modules/');
  // What a file imports is loaded again with it.
  const version = isAuthors && !found.url.includes('?') ? (/\?version=\w+$/.exec(context.parentURL ?? '')?.[0] ?? '') : '';
  const url = found.url + version;
  // TypeScript is always an ES module here, whatever the nearest package.json says.
  return isAuthors && /\.m?ts(\?.*)?$/.test(url) ? { ...found, url, format: 'module' } : { ...found, url };
}
