-- The demo shop: an SQLite database of some 20,000 rows, the same every time. make.ts runs it in an empty file.

pragma temp_store = memory;
-- Nothing to protect yet: half a file is thrown away.
pragma journal_mode = off;
pragma synchronous = off;
begin;

create table categories (
  id integer primary key,
  parent_id integer references categories (id),
  name text not null,
  slug text not null unique
);
create table products (
  id integer primary key,
  category_id integer not null references categories (id),
  sku text not null unique,
  name text not null,
  description text,
  price numeric(10,2) not null check (price >= 0),
  weight_kg real,
  stock integer not null default 0 check (stock >= 0),
  discontinued boolean not null default 0,
  thumbnail blob,
  created_at datetime not null
);
create table customers (
  id integer primary key,
  name text not null,
  email text not null unique collate nocase,
  phone text,
  language text not null,
  birth_date date,
  newsletter boolean not null default 0,
  created_at datetime not null
);
create table addresses (
  id integer primary key,
  customer_id integer not null references customers (id) on delete cascade,
  kind text not null check (kind in ('billing', 'shipping')),
  street text not null,
  city text not null,
  postal_code text,
  country char(2) not null
);
create table orders (
  id integer primary key,
  customer_id integer not null references customers (id),
  shipping_address_id integer references addresses (id),
  status text not null check (status in ('pending', 'paid', 'shipped', 'delivered', 'cancelled')),
  note text,
  ordered_at datetime not null,
  shipped_at datetime
);
create table order_items (
  order_id integer not null references orders (id) on delete cascade,
  line_number integer not null,
  product_id integer not null references products (id),
  quantity integer not null check (quantity > 0),
  unit_price numeric(10,2) not null,
  discount_percent real not null default 0,
  line_total numeric(12,2) generated always as (round(quantity * unit_price * (1 - discount_percent / 100), 2)) virtual,
  primary key (order_id, line_number)
) without rowid;
create table payments (
  id bigint not null primary key,
  order_id integer not null references orders (id),
  method text not null,
  amount numeric(12,2) not null,
  currency char(3) not null default 'EUR',
  reference blob,
  paid_at datetime not null,
  refunded_at datetime
);
create table reviews (
  id integer primary key,
  product_id integer not null references products (id),
  customer_id integer not null references customers (id),
  rating integer not null check (rating between 1 and 5),
  body text,
  created_at datetime not null,
  unique (product_id, customer_id)
);
create table price_changes (
  id integer primary key autoincrement,
  product_id integer not null references products (id),
  old_price numeric(10,2) not null,
  new_price numeric(10,2) not null,
  changed_at datetime not null default current_timestamp
);

create view order_totals as
  select o.id as order_id, o.customer_id, o.status, o.ordered_at, count(*) as items, round(sum(i.line_total), 2) as total
  from orders as o join order_items as i on i.order_id = o.id group by o.id;
create view category_paths as
  with recursive path (id, depth, path) as (
    select id, 0, name from categories where parent_id is null
    union all
    select c.id, p.depth + 1, p.path || ' / ' || c.name from categories as c join path as p on p.id = c.parent_id
  ) select id, depth, path from path;
create view best_sellers as
  select p.id as product_id, p.name, sum(i.quantity) as sold, round(sum(i.line_total), 2) as revenue
  from order_items as i join products as p on p.id = i.product_id group by p.id order by revenue desc;
create trigger products_note_price after update of price on products when old.price <> new.price begin
  insert into price_changes (product_id, old_price, new_price) values (new.id, old.price, new.price);
end;

-- Ten throws a row, from 0 up to, not including, 1: a seeded source of chance (Lehmer's: each throw is the one before times 48271, modulo
-- 2^31-1). Each table takes rows of its own: customers from 1, addresses 3000, orders 10000, items 15000, payments 30000, reviews 36000.
create temp table dice (n integer primary key, a, b, c, d, e, f, g, h, i, j);
insert into dice
with recursive seeds (n, x) as (
  values (1, 20260728)
  union all
  select n + 1, x * 1596680831 % 2147483647 from seeds where n < 38000
)
select n,
  x / 2147483647.0, x * 48271 % 2147483647 / 2147483647.0, x * 182605794 % 2147483647 / 2147483647.0,
  x * 1291394886 % 2147483647 / 2147483647.0, x * 1914720637 % 2147483647 / 2147483647.0, x * 2078669041 % 2147483647 / 2147483647.0,
  x * 407355683 % 2147483647 / 2147483647.0, x * 1105902161 % 2147483647 / 2147483647.0, x * 854716505 % 2147483647 / 2147483647.0,
  x * 564586691 % 2147483647 / 2147483647.0
from seeds;

-- What the shop sells: a tree of names, two levels deep.
create temp table goods as
select tops.key as top, groups.key as category, things.value as thing
from json_each('{
  "Kitchen": {
    "Coffee & Tea": ["Espresso Cup", "Moka Pot", "Teapot", "Pour-over Kettle", "Café crème set"],
    "Knives": ["Chef’s Knife", "Nakiri 菜切り", "Bread Knife", "Paring Knife"],
    "Bakeware": ["Loaf Tin", "Gugelhupf Mould", "Rolling Pin", "Crème brûlée torch"]
  },
  "Office": {
    "Paper": ["Notebook A5", "Dotted Pad", "Washi Tape 和紙", "Index Cards"],
    "Pens": ["Fountain Pen", "Gel Pen 0.38", "Brush Pen 筆", "Ink 30 ml"],
    "Desks": ["Monitor Riser", "Cable Tray", "Desk Mat", "Task Lamp"]
  },
  "Outdoors": {
    "Camping": ["Two-person Tent", "Sleeping Bag −5 °C", "Stove", "Head Torch"],
    "Cycling": ["Pannier", "Bell", "Puncture Kit", "Rear Light"],
    "Garden": ["Secateurs", "Watering Can", "Seed Box", "Bird Feeder"]
  },
  "Toys": {
    "Puzzles": ["1000-piece Jigsaw", "Burr Puzzle", "Tangram 七巧板"],
    "Plush": ["Bear 🧸", "Fox 🦊", "Octopus 🐙", "Ёжик"]
  }
}') as tops, json_each(tops.value) as groups, json_each(groups.value) as things;

-- Where its customers are at home, in several scripts, so that text is tested as text. `latin` is used in addresses of e-mail.
create temp table regions (language, country, latin, family_first, given, family, cities, streets);
insert into regions values
  ('en', 'GB', 'anglia', 0, '["Ada", "Grace", "Alan", "Siobhán", "Rhys", "Zoe"]',
   '["O''Neill", "Lovelace", "Hopper", "Turing", "Smith", "Nguyễn"]',
   '["London", "Leeds", "Bath"]', '["High Street", "Mill Lane", "King’s Road"]'),
  ('de', 'DE', 'germania', 0, '["Jürgen", "Anke", "Käthe", "Max", "Zoë", "Björn"]',
   '["Müller", "Groß", "Weiß", "Schäfer", "Köhler"]',
   '["Köln", "München", "Lübeck"]', '["Hauptstraße", "Gänseweg", "Am Schloß"]'),
  ('fr', 'FR', 'gallia', 0, '["Éloïse", "François", "Chloé", "Noël", "Anaïs"]',
   '["Lefèvre", "d''Artagnan", "Bélanger", "Cœur"]',
   '["Orléans", "Nîmes", "Besançon"]', '["rue de l’Église", "allée des Chênes"]'),
  ('pl', 'PL', 'polonia', 0, '["Łukasz", "Małgorzata", "Żaneta", "Jędrzej"]',
   '["Wójcik", "Dąbrowski", "Źrebiec"]',
   '["Łódź", "Gdańsk", "Kraków"]', '["ulica Świętojańska", "aleja Róż"]'),
  ('is', 'IS', 'islandia', 0, '["Þórdís", "Sigurður", "Ægir"]',
   '["Jónsdóttir", "Ægisson", "Ólafsson"]',
   '["Reykjavík", "Ísafjörður"]', '["Laugavegur", "Skólavörðustígur"]'),
  ('uk', 'UA', 'ukraina', 0, '["Олена", "Тарас", "Їжакевич", "Ґанна"]',
   '["Шевченко", "Коваленко", "Єрмоленко"]',
   '["Київ", "Львів", "Одеса"]', '["вулиця Хрещатик", "площа Ринок"]'),
  ('el', 'GR', 'hellas', 0, '["Ελένη", "Γιώργος", "Ωριάνθη"]',
   '["Παπαδόπουλος", "Νικολαΐδου"]',
   '["Αθήνα", "Θεσσαλονίκη"]', '["οδός Ερμού", "λεωφόρος Νίκης"]'),
  ('ar', 'EG', 'misr', 0, '["فاطمة", "يوسف", "ليلى"]',
   '["المصري", "حسن", "عبد الله"]',
   '["القاهرة", "الإسكندرية"]', '["شارع التحرير", "شارع النيل"]'),
  ('he', 'IL', 'israel', 0, '["נועה", "דוד", "שירה"]',
   '["כהן", "לוי", "בן־דוד"]',
   '["תל אביב", "חיפה"]', '["רחוב הרצל", "שדרות רוטשילד"]'),
  ('hi', 'IN', 'bharat', 0, '["प्रिया", "अर्जुन", "स्नेहा"]',
   '["शर्मा", "पटेल", "सिंह"]',
   '["दिल्ली", "पुणे"]', '["महात्मा गांधी मार्ग", "मॉल रोड"]'),
  ('th', 'TH', 'thai', 0, '["สมชาย", "สุดารัตน์"]',
   '["ใจดี", "ศรีสุข"]',
   '["กรุงเทพมหานคร", "เชียงใหม่"]', '["ถนนสุขุมวิท", "ถนนท่าแพ"]'),
  ('zh', 'CN', 'zhongguo', 1, '["伟", "秀英", "子涵"]',
   '["王", "李", "欧阳"]',
   '["北京", "上海", "成都"]', '["人民路", "解放大街"]'),
  ('ja', 'JP', 'nihon', 1, '["さくら", "健太", "陽葵"]',
   '["佐藤", "鈴木", "髙橋"]',
   '["東京", "京都", "札幌"]', '["中央通り", "桜ヶ丘"]'),
  ('ko', 'KR', 'hanguk', 1, '["서연", "민준", "지우"]',
   '["김", "이", "박"]',
   '["서울", "부산"]', '["세종대로", "해운대로"]');

insert into categories (name, slug) select top, lower(top) from goods group by top order by min(goods.rowid);
insert into categories (parent_id, name, slug)
select top.id, category, replace(lower(category), ' & ', '-')
from goods join categories as top on top.name = goods.top group by category order by min(goods.rowid);

-- A thumbnail is a real picture of 94 bytes: 8 × 8 dots in two colours (BMP), mirrored left to right and top to bottom.
insert into products
select number, categories.id, format('SKU-%05d', number), make || ' ' || thing,
  iif(a < 0.2, null, thing || ', ' || ('["black", "cobalt", "ecru", "forest", "rosé", "slate", "терракота", "藍"]' ->> cast(b * 8 as integer))),
  (150 + cast(c * 24850 as integer)) / 100.0,
  iif(d < 0.1, null, (20 + cast(e * 8981 as integer)) / 1000.0),
  iif(f < 0.08, 0, 1 + cast(f * 400 as integer)), g < 0.05,
  iif(g between 0.05 and 0.2, null, unhex(
    '424d5e000000000000003e00000028000000080000000800000001000100000000000000000000000000000000000200000000000000ffffff00'
    || format('%06x00', cast(h * 8355712 as integer))
    || (select group_concat(substr('0018243c425a667e8199a5bdc3dbe7ff', 1 + 2 * (cast(i * 65536 as integer) >> value & 15), 2) || '000000', '')
        from json_each('[0, 4, 8, 12, 12, 8, 4, 0]')))),
  datetime('2023-01-02 08:00', format('-%d days', 1 + cast(j * 400 as integer)))
from (
  select row_number() over (order by goods.rowid, makes.key) as number, thing, category, makes.value as make
  from goods, json_each('["Classic", "Compact", "Deluxe", "Éco", "Nordic", "Pro", "Studio", "Überformat"]') as makes
) join categories on categories.name = category join dice on n = 37600 + number;

insert into customers
select n, iif(family_first, family_name || given_name, given_name || ' ' || family_name), latin || '.' || n || '@example.com',
  iif(d < 0.3, null, format('+%d %d %d', 1 + e * 99, 100 + f * 900, 10000 + g * 90000)), language,
  iif(h < 0.4, null, date('1940-01-01', format('+%d days', h * 24000))), i < 0.35,
  datetime('2023-01-02 08:00', format('-%d seconds', 1 + j * 60480000))
from (
  select *, given ->> cast(b * json_array_length(given) as integer) as given_name, family ->> cast(c * json_array_length(family) as integer) as family_name
  from dice join regions on regions.rowid = 1 + cast(a * 14 as integer) where n <= 2000
);

insert into addresses
select row_number() over (order by n), customers.id, iif(n % 2, 'shipping', 'billing'),
  (streets ->> cast(b * json_array_length(streets) as integer)) || ' ' || (1 + cast(c * 240 as integer)),
  cities ->> cast(d * json_array_length(cities) as integer), iif(e < 0.05, null, format('%05d', f * 100000)), country
from customers join regions using (language) join dice on n in (3000 + 2 * customers.id, 3001 + 2 * customers.id)
where n % 2 or a < 0.3;

-- A few customers buy most, as in life.
insert into orders
select n - 10000, customer, iif(b < 0.04, null, addresses.id), status,
  iif(c < 0.85, null, '["Please ring twice.", "Gift wrap 🎁, no invoice inside", "Lass es beim Nachbarn, Tür 3½",
    "It''s for my mother; \"fragile\"!", "Line one\nline two\twith a tab", "配達は午後にお願いします"]' ->> cast(d * 6 as integer)),
  datetime(ordered, 'unixepoch'),
  iif(status in ('shipped', 'delivered'), datetime(ordered, 'unixepoch', format('+%d days', 1 + cast(e * 5 as integer))), null)
from (
  select *, 1 + cast(a * a * 2000 as integer) as customer, 1672646400 + (n - 10000) * 20998 + cast(f * 7200 as integer) as ordered,
    case when g < 0.06 then 'cancelled' when n > 14440 then iif(h < 0.5, 'pending', 'paid') else iif(h < 0.25, 'shipped', 'delivered') end as status
  from dice where n between 10001 and 14500
) join addresses on customer_id = customer and kind = 'shipping';

insert into order_items (order_id, line_number, product_id, quantity, unit_price, discount_percent)
select orders.id, lines.value, products.id, iif(dice.b < 0.75, 1, 2 + cast(dice.c * 5 as integer)), price,
  iif(dice.d < 0.85, 0, '[5, 10, 12.5, 50]' ->> cast(dice.e * 4 as integer))
from orders join dice as ordered on ordered.n = 10000 + orders.id
join json_each('[1, 2, 3]') as lines on lines.value <= 1 + cast(ordered.i * 3 as integer)
join dice on dice.n = 15000 + 3 * orders.id + lines.value
join products on products.id = 1 + cast(dice.a * 352 as integer);

-- 2^53+1 lies among their ids: the first integer that a double can't hold.
insert into payments
select 9007199254739999 + row_number() over (order by order_id), order_id, method, total, 'EUR',
  iif(method = 'card', unhex(format('%04x%02x00', order_id, b * 256)), null), datetime(ordered_at, '+1 minute'),
  iif(status = 'cancelled', datetime(ordered_at, format('+%d days', 1 + cast(c * 20 as integer))), null)
from (
  select *, '["card", "card", "card", "transfer", "wallet", "invoice"]' ->> cast(a * 6 as integer) as method
  from order_totals join dice on n = 30000 + order_id where status <> 'pending'
);

insert into reviews
select row_number() over (order by n), product, customer, iif(c < 0.6, 5, 1 + cast(d * 4 as integer)),
  iif(e < 0.25, null, '["Does what it says.", "Love it 😍👍🏽", "Broke after a week 😡", "Zu klein für große Hände – schade.", "Très bon rapport qualité/prix…",
    "すごく使いやすいです。", "Отличное качество!", "جيد جدا", "좋아요 ❤️", "👩‍👩‍👧‍👦 approved", "   spaces kept   ", "NULL", ""]' ->> cast(f * 13 as integer)),
  datetime('2023-01-02 08:00', format('+%d seconds', g * 86400000))
from (
  select *, 1 + cast(a * 352 as integer) as product, 1 + cast(b * 2000 as integer) as customer, min(n)
  from dice where n between 36001 and 37600 group by product, customer order by n limit 1500
);

create index products_by_category on products (category_id);
create index addresses_by_customer on addresses (customer_id);
create index orders_by_customer on orders (customer_id, ordered_at);
create index orders_open on orders (ordered_at) where status in ('pending', 'paid');
create index order_items_by_product on order_items (product_id);
create index payments_by_order on payments (order_id);
create index reviews_by_customer on reviews (customer_id);
analyze;
commit;
