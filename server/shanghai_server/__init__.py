"""The Shanghai Rum server: tables, seats, journal, clocks and the gRPC services that show them."""
