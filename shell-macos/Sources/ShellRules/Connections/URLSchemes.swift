/// How a pasted URL begins: which engine is meant, or which of those that Sallyport doesn't reach. Part of `ConnectionURL`.
enum URLSchemes {
    /// As PostgreSQL, Rails, Django (its django-environ too), Laravel, Doctrine, SQLAlchemy and Prisma write them.
    static let engines: [String: Engine] = [
        "postgres": .postgres, "postgresql": .postgres, "psql": .postgres, "pgsql": .postgres, "pdo-pgsql": .postgres,
        "postgis": .postgres, "cockroach": .postgres, "cockroachdb": .postgres, "timescale": .postgres, "timescaledb": .postgres,
        "mysql": .mysql, "mysql2": .mysql, "mysqli": .mysql, "mariadb": .mysql, "pdo-mysql": .mysql, "mysqlgis": .mysql,
        "mysql-connector": .mysql, "trilogy": .mysql,
        "sqlite": .sqlite, "sqlite3": .sqlite, "pdo-sqlite": .sqlite, "spatialite": .sqlite, "file": .sqlite,
    ]

    /// SQLAlchemy's, behind a +. Whatever else stands there changes where the URL leads: a tunnel, a proxy, a name server.
    static let drivers = Set(
        """
        psycopg psycopg2 psycopg2cffi psycopgasync psycopg3 asyncpg aiopg pg8000 pygresql pypostgresql \
        pymysql mysqldb mysqlconnector mariadbconnector aiomysql asyncmy cymysql oursql pyodbc aiosqlite pysqlite
        """.words)

    /// How people call the databases that Sallyport doesn't reach.
    static let unsupported = Dictionary(
        uniqueKeysWithValues: """
            mongodb MongoDB
            mongo MongoDB
            redis Redis
            rediss Redis
            valkey Valkey
            memcached Memcached
            mssql SQL Server
            sqlserver SQL Server
            oracle Oracle
            oracle:thin Oracle
            db2 Db2
            clickhouse ClickHouse
            snowflake Snowflake
            bigquery BigQuery
            redshift Redshift
            duckdb DuckDB
            cassandra Cassandra
            scylladb ScyllaDB
            couchdb CouchDB
            dynamodb DynamoDB
            libsql libSQL
            neo4j Neo4j
            bolt Neo4j
            elasticsearch Elasticsearch
            trino Trino
            presto Presto
            databricks Databricks
            firebird Firebird
            h2 H2
            prisma Prisma Accelerate
            """.pieces(at: "\n").map { line in
                let (scheme, database) = line.cut(at: " ")
                return (String(scheme), String(database ?? ""))
            })

    static func notSupported(_ database: String) -> RefusedURL {
        RefusedURL(
            "That is no URL Sallyport knows: \(database) is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.")
    }

    /// The engine, and what stands behind the scheme's colon; nil where the text begins with no scheme.
    static func read(_ text: String) throws(RefusedURL) -> (engine: Engine, rest: String)? {
        let form = #/(?:[Jj][Dd][Bb][Cc]:)?([A-Za-z][A-Za-z0-9._-]*)(?:\+([A-Za-z0-9_]+))?:(.*)/#
        guard let (_, typed, driver, rest) = text.whole(form) else { return nil }
        let scheme = typed.asciiLowercased.replacing("_" as Unicode.Scalar, with: "-")
        if let other = unsupported[scheme] { throw notSupported(other) }
        guard let engine = engines[scheme] else { throw ConnectionURL.unknown }
        guard let driver = driver?.asciiLowercased else { return (engine, String(rest)) }
        if driver == "ssh" {
            throw RefusedURL(
                "Sallyport opens no SSH tunnel; open it yourself with `ssh -L`, and give the URL of its end on this machine.")
        }
        if !drivers.contains(driver.replacing("_" as Unicode.Scalar, with: "")) {
            throw RefusedURL("What stands behind the + of the URL is no driver that Sallyport knows; leave it out.")
        }
        return (engine, String(rest))
    }
}
