/** The demo shop's tables, views, indexes and triggers. */

export const tables = `
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
`;

/** Made after the rows are in: faster, and ANALYZE then knows how many there are. */
export const indexesAndViews = `
create index products_by_category on products (category_id);
create index addresses_by_customer on addresses (customer_id);
create index orders_by_customer on orders (customer_id, ordered_at);
create index orders_open on orders (ordered_at) where status in ('pending', 'paid');
create index order_items_by_product on order_items (product_id);
create index payments_by_order on payments (order_id);
create index reviews_by_customer on reviews (customer_id);
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
analyze;
`;
