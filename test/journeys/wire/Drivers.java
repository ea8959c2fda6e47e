import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Properties;

/** Java's driver over a socket: a line for each of its modes, of what it read and how it was told no. */
public class Drivers {
  public static void main(String[] given) throws Exception {
    for (String mode : new String[] {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
      System.out.println(mode + ": " + answers(given[0], given[1], given[2], mode));
  }

  static String answers(String socket, String user, String database, String mode) throws SQLException {
    Properties properties = new Properties();
    properties.put("user", user);
    properties.put("preferQueryMode", mode);
    properties.put("sslmode", "disable");
    properties.put("socketFactory", "org.newsclub.net.unix.AFUNIXSocketFactory$FactoryArg");
    properties.put("socketFactoryArg", socket);
    StringBuilder answers = new StringBuilder();
    try (Connection session = DriverManager.getConnection("jdbc:postgresql://localhost/" + database, properties)) {
      // From the fifth time on it has a name on the server.
      for (int turn = 1; turn <= 7; turn++) answers.append(counted(session, turn)).append(' ');
      ResultSet columns = session.getMetaData().getColumns(null, "public", "customers", null);
      while (columns.next()) answers.append(columns.getString("COLUMN_NAME")).append(' ');
      answers.append(refused(session)).append(' ');

      session.setAutoCommit(false);
      session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Statement paged = session.createStatement();
      paged.setFetchSize(100);
      ResultSet rows = paged.executeQuery("select id from orders");
      int fetched = 0;
      while (rows.next()) fetched++;
      answers.append(fetched).append(' ');
      Savepoint savepoint = session.setSavepoint();
      answers.append(refused(session)).append(' ');
      session.rollback(savepoint);
      answers.append(counted(session, 8)).append(' ');
      answers.append(refused(session)).append(' ');
      answers.append(failed(session)).append(' ');
      session.rollback();
      answers.append(counted(session, 9));
      session.commit();
    }
    return answers.toString();
  }

  static int counted(Connection session, int most) throws SQLException {
    try (PreparedStatement statement = session.prepareStatement("select count(*) from orders where id <= ?")) {
      statement.setInt(1, most);
      ResultSet rows = statement.executeQuery();
      rows.next();
      return rows.getInt(1);
    }
  }

  static String refused(Connection session) {
    try (PreparedStatement statement = session.prepareStatement("insert into m values (?)")) {
      statement.setString(1, "java");
      statement.executeUpdate();
      return "WROTE";
    } catch (SQLException error) {
      return error.getSQLState();
    }
  }

  static String failed(Connection session) {
    try {
      return "" + counted(session, 1);
    } catch (SQLException error) {
      return error.getSQLState();
    }
  }
}
