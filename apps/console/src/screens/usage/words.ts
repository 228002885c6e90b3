import { count } from '../../text.ts';
import { places } from '../../places.ts';

export const words = {
  deletedAccount: 'Deleted account',
  customer: 'Customer',
  noCustomer: 'No customer',
  title: places.usage,
  hint: 'Days and months are counted in UTC.',
  month: 'Month',
  earlier: 'The month before',
  later: 'The month after',
  download: 'Download CSV',
  budget: 'Credits of this month',
  left: 'left',
  of: (all: string) => `of ${all}`,
  bar: (isReserved: boolean) =>
    `The bar shows the credits that are left${isReserved ? '; the striped part is reserved' : ''}.`,
  parts: { charged: 'Used', reserved: 'Reserved for what runs', used: 'Used or reserved' },
  daysLeft: 'Days left, with today',
  perDay: 'Used per day so far',
  allowance: 'Left per day',
  summary: (credits: number, generations: number, isOwn: boolean) =>
    `${isOwn ? 'You used ' : ''}${count(credits, 'credit')} in ${count(generations, 'generation')}`,
  spent: 'No credits are left. New credits come with the next month; your operator can add some before then.',
  storage: 'Storage',
  stored: 'of files',
  noQuota: 'without a limit',
  full: 'The storage is full: uploads and generations are refused. Delete files that are not needed.',
  low: 'Few credits are left. Generations that cost more are refused.',

  byDay: 'By day',
  chart: (month: string, most: string, day: string) =>
    `Credits used on each day of ${month}, by model. The most, ${most}, were used on ${day}. The table of days below lists all.`,
  others: 'Others',
  onDay: (day: string, credits: string) => `${day}: ${credits}`,

  breakdown: 'Breakdown',
  groups: { day: 'Days', model: 'Models', member: 'Members', customer: 'Customers' },
  columns: {
    day: 'Day',
    model: 'Model',
    member: 'Member',
    customer: 'Customer',
    share: 'Share',
    generations: 'Generations',
    reserved: 'Reserved',
    used: 'Credits',
  },
  mostOf: (customers: number) => `The ${customers} with the most credits are shown; the file has all.`,
  ownOnly: 'You see your own usage. Admins and the owner see the whole team.',
  nothing: (month: string) => `Nothing was used in ${month}`,
  nothingHint: 'Generations use credits. A generation that fails or is canceled returns its credits.',
  generate: 'Generate something',
};
