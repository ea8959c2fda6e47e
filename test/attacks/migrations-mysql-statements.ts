/**
 * What migrations of well-known tools send to MySQL and MariaDB, in those tools' own spelling, in
 * order, on one database in use: `users` and `posts` have rows. Each lists which statements ask.
 */

export interface Migration {
  readonly tool: string;
  readonly does: string;
  readonly statements: readonly string[];
  /** The beginnings of those statements that ask. */
  readonly ask: readonly string[];
}

export const inUse = `drop database if exists moves; create database moves; use moves;
create table users (id bigint not null auto_increment primary key, email varchar(255) not null, name varchar(255), legacy int) engine=InnoDB;
insert into users (email, name) values ('a@x', 'a'), ('b@x', 'b');
create table posts (id bigint not null auto_increment primary key, user_id bigint not null, title varchar(255) not null, body text) engine=InnoDB;
insert into posts (user_id, title) values (1, 'x'), (2, 'y');`;

export const migrations: readonly Migration[] = [
  {
    tool: 'Rails',
    does: 'makes a table with an index and a reference',
    statements: [
      'CREATE TABLE `schema_migrations` (`version` varchar(255) NOT NULL PRIMARY KEY)',
      'CREATE TABLE `ar_internal_metadata` (`key` varchar(255) NOT NULL PRIMARY KEY, `value` varchar(255), `created_at` datetime(6) NOT NULL, `updated_at` datetime(6) NOT NULL)',
      'CREATE TABLE `comments` (`id` bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, `post_id` bigint NOT NULL, `text` text, `created_at` datetime(6) NOT NULL, `updated_at` datetime(6) NOT NULL, INDEX `index_comments_on_post_id` (`post_id`), CONSTRAINT `fk_rails_2fd19c0db7` FOREIGN KEY (`post_id`) REFERENCES `posts` (`id`))',
      "INSERT INTO `schema_migrations` (version) VALUES ('20261101100000')",
    ],
    ask: [],
  },
  {
    tool: 'Rails',
    does: 'adds columns and an index',
    statements: [
      'ALTER TABLE `users` ADD `time_zone` varchar(255)',
      'ALTER TABLE `users` ADD `admin` tinyint(1) DEFAULT FALSE NOT NULL',
      'ALTER TABLE `users` ADD `created_at` datetime(6), ADD `updated_at` datetime(6)',
      'CREATE INDEX `index_users_on_name` ON `users` (`name`)',
      "INSERT INTO `schema_migrations` (version) VALUES ('20261101110000')",
    ],
    ask: [],
  },
  {
    tool: 'Rails',
    does: 'makes e-mail addresses unique, and asks for one more value of each row',
    statements: [
      'CREATE UNIQUE INDEX `index_users_on_email` ON `users` (`email`)',
      'ALTER TABLE `users` ADD `plan` varchar(20) NOT NULL',
      'ALTER TABLE `posts` ADD CONSTRAINT `fk_rails_5b5ddfd518` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`)',
    ],
    ask: ['CREATE UNIQUE', 'ALTER TABLE `users` ADD `plan`', 'ALTER TABLE `posts` ADD CONSTRAINT'],
  },
  {
    tool: 'Rails',
    does: 'renames and removes',
    statements: [
      'ALTER TABLE `users` RENAME COLUMN `name` TO `full_name`',
      'ALTER TABLE `users` DROP COLUMN `legacy`',
      'ALTER TABLE `users` CHANGE `full_name` `full_name` varchar(100) DEFAULT NULL',
    ],
    ask: ['ALTER TABLE `users` RENAME', 'ALTER TABLE `users` DROP', 'ALTER TABLE `users` CHANGE'],
  },
  {
    tool: 'Django',
    does: 'makes tables and relates them',
    statements: [
      'CREATE TABLE `blog_author` (`id` bigint AUTO_INCREMENT NOT NULL PRIMARY KEY, `name` varchar(100) NOT NULL, `email` varchar(254) NOT NULL UNIQUE)',
      'CREATE TABLE `blog_entry` (`id` bigint AUTO_INCREMENT NOT NULL PRIMARY KEY, `headline` varchar(255) NOT NULL, `pub_date` date NOT NULL, `rating` integer UNSIGNED NOT NULL CHECK (`rating` >= 0), `author_id` bigint NOT NULL)',
      'CREATE TABLE `blog_entry_tags` (`id` bigint AUTO_INCREMENT NOT NULL PRIMARY KEY, `entry_id` bigint NOT NULL, `tag_id` bigint NOT NULL)',
      'ALTER TABLE `blog_entry_tags` ADD CONSTRAINT `blog_entry_tags_entry_id_tag_id_uniq` UNIQUE (`entry_id`, `tag_id`)',
      'ALTER TABLE `blog_entry_tags` ADD CONSTRAINT `blog_entry_tags_entry_id_fk` FOREIGN KEY (`entry_id`) REFERENCES `blog_entry` (`id`)',
      'ALTER TABLE `blog_entry` ADD CONSTRAINT `blog_entry_author_id_fk_blog_author_id` FOREIGN KEY (`author_id`) REFERENCES `blog_author` (`id`)',
      'CREATE INDEX `blog_entry_pub_date_idx` ON `blog_entry` (`pub_date`)',
    ],
    ask: [],
  },
  {
    tool: 'Django',
    does: 'adds a field with a default, and takes the default out of the database',
    statements: [
      "ALTER TABLE `users` ADD COLUMN `bio` varchar(200) DEFAULT '' NOT NULL",
      'ALTER TABLE `users` ALTER COLUMN `bio` DROP DEFAULT',
      'ALTER TABLE `users` ADD COLUMN `seen` datetime(6) NULL',
    ],
    ask: ['ALTER TABLE `users` ALTER'],
  },
  {
    tool: 'Prisma',
    does: 'makes two models and their relation',
    statements: [
      "CREATE TABLE `User` (\n    `id` INTEGER NOT NULL AUTO_INCREMENT,\n    `email` VARCHAR(191) NOT NULL,\n    `role` ENUM('USER', 'ADMIN') NOT NULL DEFAULT 'USER',\n    `createdAt` DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),\n\n    UNIQUE INDEX `User_email_key`(`email`),\n    PRIMARY KEY (`id`)\n) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
      'CREATE TABLE `Post` (\n    `id` INTEGER NOT NULL AUTO_INCREMENT,\n    `authorId` INTEGER NOT NULL,\n\n    INDEX `Post_authorId_idx`(`authorId`),\n    PRIMARY KEY (`id`)\n) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci',
      '-- AddForeignKey\nALTER TABLE `Post` ADD CONSTRAINT `Post_authorId_fkey` FOREIGN KEY (`authorId`) REFERENCES `User`(`id`) ON DELETE CASCADE ON UPDATE CASCADE',
      '-- AlterTable\nALTER TABLE `users` ADD COLUMN `score` DOUBLE NOT NULL DEFAULT 0,\n    ADD COLUMN `meta` JSON NULL',
    ],
    ask: [],
  },
  {
    tool: 'Prisma',
    does: 'gives an enum one more value, and makes a column longer',
    statements: [
      "ALTER TABLE `User` MODIFY `role` ENUM('USER', 'ADMIN', 'OWNER') NOT NULL DEFAULT 'USER'",
      'ALTER TABLE `posts` MODIFY `title` VARCHAR(500) NOT NULL',
      '-- RenameIndex\nALTER TABLE `User` RENAME INDEX `User_email_key` TO `User_mail_key`',
    ],
    ask: ['ALTER TABLE `User` MODIFY', '-- RenameIndex'],
  },
  {
    tool: 'Flyway',
    does: 'makes its history, a table, a view and an archive',
    statements: [
      'CREATE TABLE `moves`.`flyway_schema_history` (`installed_rank` INT NOT NULL, `version` VARCHAR(50), `description` VARCHAR(200) NOT NULL, `type` VARCHAR(20) NOT NULL, `script` VARCHAR(1000) NOT NULL, `checksum` INT, `installed_by` VARCHAR(100) NOT NULL, `installed_on` TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, `execution_time` INT NOT NULL, `success` BOOL NOT NULL, CONSTRAINT `flyway_schema_history_pk` PRIMARY KEY (`installed_rank`)) ENGINE=InnoDB',
      'CREATE INDEX `flyway_schema_history_s_idx` ON `moves`.`flyway_schema_history` (`success`)',
      'CREATE TABLE IF NOT EXISTS invoice (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, amount DECIMAL(10,2) NOT NULL, PRIMARY KEY (id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4',
      'CREATE OR REPLACE VIEW active_users AS SELECT id, email FROM users',
      "ALTER TABLE users ADD COLUMN country CHAR(2) NOT NULL DEFAULT 'DE' COMMENT 'ISO 3166' AFTER email, ADD KEY idx_country (country)",
      "UPDATE users SET country = 'AT' WHERE id = 2",
      'CREATE FULLTEXT INDEX idx_body ON posts (body)',
      'INSERT INTO invoice (amount) VALUES (10.5)',
    ],
    ask: [],
  },
  {
    tool: 'dbt',
    does: 'builds a model beside the old one and swaps them',
    statements: [
      'create table `moves`.`orders_by_user__dbt_tmp` as (select user_id, count(*) as n from posts group by user_id)',
      'create view `moves`.`stg_users` as (select id, email from users)',
      'create table `moves`.`orders_by_user` as (select * from `moves`.`orders_by_user__dbt_tmp`)',
      'rename table `moves`.`orders_by_user` to `moves`.`orders_by_user__dbt_backup`',
      'rename table `moves`.`orders_by_user__dbt_tmp` to `moves`.`orders_by_user`',
      'drop table if exists `moves`.`orders_by_user__dbt_backup`',
    ],
    ask: ['rename table `moves`.`orders_by_user` to', 'rename table `moves`.`orders_by_user__dbt_tmp`', 'drop table'],
  },
];
