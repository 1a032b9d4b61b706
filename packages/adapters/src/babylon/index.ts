/*
 * Stuntdouble in Babylon.js: animation groups for an avatar as it stands, and live retargeting.
 */
export {};
