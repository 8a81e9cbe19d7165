/** Made by `scripts/build-views.ts`. */
declare module '#view-pages' {
  export const pages: Readonly<Record<import('./views.ts').ViewName, string>>;
}
