/** What the demo shop sells and what people say of it. */

type Words = readonly [string, ...string[]];

/** A tree: name and, two levels deep, what is under it. */
export const categoryTree: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  Kitchen: {
    'Coffee & Tea': ['Espresso Cup', 'Moka Pot', 'Teapot', 'Pour-over Kettle', 'Café crème set'],
    Knives: ['Chef’s Knife', 'Nakiri 菜切り', 'Bread Knife', 'Paring Knife'],
    Bakeware: ['Loaf Tin', 'Gugelhupf Mould', 'Rolling Pin', 'Crème brûlée torch'],
  },
  Office: {
    Paper: ['Notebook A5', 'Dotted Pad', 'Washi Tape 和紙', 'Index Cards'],
    Pens: ['Fountain Pen', 'Gel Pen 0.38', 'Brush Pen 筆', 'Ink 30 ml'],
    Desks: ['Monitor Riser', 'Cable Tray', 'Desk Mat', 'Task Lamp'],
  },
  Outdoors: {
    Camping: ['Two-person Tent', 'Sleeping Bag −5 °C', 'Stove', 'Head Torch'],
    Cycling: ['Pannier', 'Bell', 'Puncture Kit', 'Rear Light'],
    Garden: ['Secateurs', 'Watering Can', 'Seed Box', 'Bird Feeder'],
  },
  Toys: {
    Puzzles: ['1000-piece Jigsaw', 'Burr Puzzle', 'Tangram 七巧板'],
    Plush: ['Bear 🧸', 'Fox 🦊', 'Octopus 🐙', 'Ёжик'],
  },
};

export const makes: Words = ['Classic', 'Compact', 'Deluxe', 'Éco', 'Nordic', 'Pro', 'Studio', 'Überformat'];
export const colours: Words = ['black', 'cobalt', 'ecru', 'forest', 'rosé', 'slate', 'терракота', '藍'];

export const paymentMethods: Words = ['card', 'card', 'card', 'transfer', 'wallet', 'invoice'];

export const orderNotes: Words = [
  'Please ring twice.',
  'Gift wrap 🎁, no invoice inside',
  'Lass es beim Nachbarn, Tür 3½',
  'It\'s for my mother; "fragile"!',
  'Line one\nline two\twith a tab',
  '配達は午後にお願いします',
];

export const opinions: Words = [
  'Does what it says.',
  'Love it 😍👍🏽',
  'Broke after a week 😡',
  'Zu klein für große Hände – schade.',
  'Très bon rapport qualité/prix…',
  'すごく使いやすいです。',
  'Отличное качество!',
  'جيد جدا',
  '좋아요 ❤️',
  '👩‍👩‍👧‍👦 approved',
  '   spaces kept   ',
  'NULL',
  '',
];
