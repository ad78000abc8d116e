import { Migration20261121000000_first_house } from './Migration20261121000000_first_house.ts';

/** Every schema change, oldest first. */
export const MIGRATIONS = [Migration20261121000000_first_house];
