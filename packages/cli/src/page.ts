/** The engine for a page that moves clips between scenes. */
export * from '@stuntdouble/adapters/page';
