import { defineEntity, p } from '@mikro-orm/postgresql';

export const UserRow = defineEntity({
  name: 'UserRow',
  tableName: 'users',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    email: p.text(),
    name: p.text().nullable(),
    passwordHash: p.text().nullable(),
    createdAt: p.datetime(),
  },
});
