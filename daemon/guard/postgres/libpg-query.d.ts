/**
 * The compiled parser itself. The library's own wrapper around it can't replace a broken instance.
 */
declare module 'libpg-query/wasm/libpg-query.js' {
  const factory: () => Promise<never>;
  export default factory;
}
