/**
 * The compiled parser itself, below the library's own wrapper, which can't replace an instance that
 * broke.
 */
declare module 'libpg-query/wasm/libpg-query.js' {
  const factory: () => Promise<never>;
  export default factory;
}
